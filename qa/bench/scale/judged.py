"""Print what was measured, and say what is over its bound."""

from typing import Any, Dict, List, Sequence

import statistics

LONGEST_HOLDS = 12  # that are printed


def figures(values: Sequence[float]) -> Dict[str, float]:
    """Return median and maximum in milliseconds."""
    if not values:
        return {}
    return {
        'median': round(1e3 * statistics.median(values), 1),
        'max': round(1e3 * max(values), 1),
    }


def row(name: str, found: Dict[str, Any]) -> str:
    """Return a line of the table of latencies."""
    held, answer = found['held'], found['answer']
    asked = ' '.join(f'{n}:{c}' for n, c in sorted(found['get'].items()))
    return (
        f'{name:34} held {held.get("median", 0):7.1f} '
        f'max {held.get("max", 0):7.1f} ms, answer '
        f'{answer["median"]:8.1f} max {answer["max"]:8.1f} ms, '
        f'machine late {found.get("late", 0):.0f} ms, '
        f'{found.get("rss", 0) / 1e6:.0f} MB, '
        f'code {found["code"]:4}  {asked} {found.get("error", "")[:90]}'
    )


def report(results: Dict[str, Any]) -> List[str]:
    """Return what is over its bound, after ratios to the smallest size."""
    sizes = sorted(results, key=int)
    first = results[sizes[0]]
    over = []

    def judge(size: str, what: str, value: float, bound: float) -> None:
        print(f'  {what}: {value:.2f} (at most {bound:g})')
        if value > bound:
            over.append(f'{size} OSDs, {what}: {value:.2f}')

    for size in sizes:
        one = results[size]
        first_of_all = ', the mgr preferred' if one.get('preferred') else ''
        print(f'\n{size} OSDs ({one["load"]}{first_of_all})')
        if 'idle' in one:
            gain = 100 * (one['idle'] - one['idle_without'])
            judge(size, 'idle, % of a core more', gain, 1.0)
            own = 100 * sum(one.get('idle_threads', {}).values())
            judge(size, 'threads of the module, idle, %', own, 1.0)
            judge(size, 'observer, % of a core', 100 * one['observer'], 1.0)
            print(f'  at {one["epochs"]:.2f} epochs a second')
            grown = one['enabled'] - one['bare']
            if 'fed' in one:
                grown += one['after'] - one['fed']
            else:
                grown = one['after'] - one['bare']
            grown /= 1e6
            judge(size, 'memory, MB more', grown, 100.0)
        if 'trial' in one:
            judge(size, 'trial, % of a core', 100 * one['trial'], 2.0)
            ended = one['stop']['load_ended']
            judge(size, 'stop --now, ms until no load', ended, 2000.0)
        late = one['heard']['max']
        judge(size, 'stop among readers, ms', late, 2000.0)
        for hold in holds(one):
            print(f'  {hold}')
        for part in ('commands', 'rest'):
            for name, found in one[part].items():
                held, base = found['held'], first[part].get(name, {})
                grow = held.get('median', 0) / max(
                    0.1, base.get('held', {}).get('median', 0)
                )
                print(f'  {row(name, found)}  x{grow:.1f}')
                if held.get('max', 0) > 200:
                    late = found.get('late', 0)
                    over.append(
                        f'{size} OSDs, {name}: {held["max"]} ms (the machine '
                        f'woke a sleeper {late} ms late)'
                    )
    return over


def holds(one: Dict[str, Any]) -> List[str]:
    """Return the longest waits for the interpreter, over all questions."""
    found = [
        (hold, name)
        for part in ('commands', 'rest')
        for name, answers in one[part].items()
        for hold in answers.get('holds', ())
    ]
    found.sort(key=lambda each: -each[0]['late'])
    return [
        f'all Python waited {hold["late"]} ms, the mgr used {hold["cpu"]} ms '
        f'of CPU, {hold["collecting"]} ms collecting garbage, at {name}: '
        + '; '.join(hold['at'])
        for hold, name in found[:LONGEST_HOLDS]
    ]
