"""Print figures of findings with their units."""

from ...common.units import format_byte_rate, format_latency, format_ops


def show(value: float, unit: str) -> str:
    """Return a figure for people; '%' is a share of 1."""
    if unit == '%':
        return f'{value:.0%}'
    if unit == 's':
        return format_latency(value)
    if unit == 'B/s':
        return format_byte_rate(value)
    if unit == 'op/s':
        return format_ops(value)
    if unit == 'cores':
        return f'{value:.2f} cores'
    return f'{value:.3g}{unit}'
