/**
 * Which network interfaces of a host carry traffic of their own, as
 * hosts/interfaces.py has it: what a bridge, a bond or a VLAN carries goes
 * through a port as well.
 */

// the farthest from the wire first: VLANs (eth0.100) and tunnels
const LAYERS = [
  /^(.*\..*|vlan.*|macvlan.*|vxlan.*|tun\d+|wg\d+)$/,
  /^((vm)?br\d+|bridge\d*|br_.*)$/,
  /^(bond.*|team.*)$/,
];

/** Return how far a kind of interface is from the wire: 0 is a port. */
function layer(name: string): number {
  const at = LAYERS.findIndex((kind) => kind.test(name));
  return at < 0 ? 0 : LAYERS.length - at;
}

/** Return those whose traffic no other one carries; some, if there are any. */
export function carriers(names: readonly string[]): Set<string> {
  const lowest = Math.min(...names.map(layer));
  return new Set(names.filter((name) => layer(name) === lowest));
}
