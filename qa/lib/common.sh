# Shared by qa/check and qa/demo; to be sourced by bash.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# One line about what happens now.
say() {
    printf '== %s\n' "$*"
}

# One line about what is wrong, and the end.
die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

need_root() {
    [ "$(id -u)" -eq 0 ] || die "$1 needs root; use sudo"
}

# Install the Debian packages that are not there yet.
install_packages() {
    local name missing=()
    command -v dpkg-query >/dev/null || die 'this needs Debian (or Ubuntu)'
    for name in "$@"; do
        dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null |
            grep -q '^ii' || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    need_root "installing ${missing[*]}"
    say "installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q update >/dev/null || die 'apt-get update failed'
    apt-get -qy install --no-install-recommends "${missing[@]}" >/dev/null ||
        die "apt-get could not install ${missing[*]}"
}

# The manager folder of a fetched release (its mgr_module.py and friends);
# prints nothing where none was fetched.
fetched_mgr_path() {
    local cache=${PERFCOMPARE_CACHE:-/var/cache/perfcompare} found
    for found in "$cache/$1"/*/usr/share/ceph/mgr/mgr_module.py; do
        [ -f "$found" ] && dirname "$found" && return
    done
    return 0
}
