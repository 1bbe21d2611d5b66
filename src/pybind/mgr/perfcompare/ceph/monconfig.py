"""Which part of the central configuration a mon has a value from.

A section `mon.<id>`, or `mon` with a mask, goes before `mon`.
"""

from typing import Any, Dict, Iterable, Mapping, Tuple


def sections(
    dump: Iterable[Mapping[str, Any]], hosts: Mapping[str, str], option: str
) -> Dict[str, Tuple[str, str]]:
    """Return the section narrower than `mon`, and its value, by mon.

    ``dump`` is that of `config dump`; ``hosts`` has the host names of the
    mons that are asked for, '' where it is not known. A mask of another
    place than a host is taken for one of the mon, as it may be.
    """
    found: Dict[str, Tuple[int, str, str]] = {}
    for entry in dump:
        if entry['name'] != option:
            continue
        section, mask = str(entry['section']), str(entry.get('mask') or '')
        for mon, host in hosts.items():
            if not _narrower(section, mask, mon, host):
                continue
            # a narrower section goes first, then one with a mask
            rank = 2 * len(section) + bool(mask)
            who = f'{section}/{mask}' if mask else section
            if mon not in found or found[mon][0] < rank:
                found[mon] = (rank, who, str(entry['value']))
    return {mon: (who, value) for mon, (_, who, value) in found.items()}


def _narrower(section: str, mask: str, mon: str, host: str) -> bool:
    if section == 'mon':
        ours = bool(mask)
    else:  # parts of an id that has dots are sections, too
        ours = f'mon.{mon}.'.startswith(f'{section}.')
    return ours and all(_of_mon(part, host) for part in mask.split('/'))


def _of_mon(mask: str, host: str) -> bool:
    kind, _, value = mask.partition(':')
    if kind == 'class':  # of OSDs only
        return False
    return kind != 'host' or not host or host.split('.')[0] == value
