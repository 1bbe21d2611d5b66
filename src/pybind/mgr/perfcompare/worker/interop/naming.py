"""What workloads of other tools are called."""


def short_size(size: int) -> str:
    """Return bytes as '4K', '100B'; empty for none."""
    for unit, power in (('G', 30), ('M', 20), ('K', 10)):
        if size and size % (1 << power) == 0:
            return f'{size >> power}{unit}'
    return f'{size}B' if size else ''
