import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The addresses that outbound requests may connect to. */
export interface AddressPolicy {
  /** Only canonical spellings of addresses are permitted. */
  permits(address: string): boolean;
}

/** The only globally routable part of IPv6. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** NAT64: the IPv4 address is in the last 32 bits. */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');

const embeddedAt = (address: ipaddr.IPv6, byte: number) =>
  new ipaddr.IPv4(address.toByteArray().slice(byte, byte + 4));

/** The IPv4 address embedded in an IPv6 address, if any. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(nat64)) return embeddedAt(address, 12);
  const isIsatap = address.parts[5] === 0x5efe && ((address.parts[4] ?? 0) & 0xfdff) === 0;
  return isIsatap ? embeddedAt(address, 12) : undefined;
}

function isGlobal(address: Address): boolean {
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  const v6 = address as ipaddr.IPv6;
  const embedded = embeddedIPv4(v6);
  if (embedded && !isGlobal(embedded)) return false;
  return v6.match(nat64) || (v6.match(globalUnicast) && v6.range() === 'unicast');
}

function parse(address: string): Address | undefined {
  if (isIP(address) === 0 || address.includes('%')) return undefined;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()
    ? parsed.toIPv4Address()
    : parsed;
}

/**
 * Permits global unicast addresses and the allowed CIDR ranges; a single address is a range of one.
 * Throws on an invalid range.
 */
export function addressPolicy(allow: readonly string[]): AddressPolicy {
  const ranges = allow.map((text) => {
    const cidr =
      text.includes('/') || isIP(text) === 0 ? text : `${text}/${isIP(text) === 4 ? 32 : 128}`;
    if (!ipaddr.isValidCIDR(cidr)) throw new Error(`${text} is not a network such as 10.0.0.0/8.`);
    return ipaddr.parseCIDR(cidr);
  });
  const isAllowed = (address: Address) =>
    ranges.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  return {
    permits(text) {
      const address = parse(text);
      return address !== undefined && (isAllowed(address) || isGlobal(address));
    },
  };
}
