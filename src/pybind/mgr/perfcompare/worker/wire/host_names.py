"""By which names a host can be known, to whoever is asked about it."""


def is_address(text: str) -> bool:
    """Say whether ``text`` is an IP address, not a name."""
    return ':' in text or text.replace('.', '').isdigit()


def short_name(name: str) -> str:
    """Return a host's name before its first dot; of addresses, no name."""
    return name.split('.')[0].lower()
