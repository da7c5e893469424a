import { isIP, isIPv4 } from 'node:net';

import ipaddr from 'ipaddr.js';

/**
 * The address of a client: the last entry of `X-Forwarded-For`, or, if that is missing or no address, the
 * peer. Rate limits count it, so each address has one spelling, without port, brackets and zone.
 */
export const clientAddress = (
  entry: string | undefined,
  { remoteAddress = '' }: { readonly remoteAddress?: string | undefined },
): string => (entry === undefined ? undefined : addressIn(entry)) ?? addressIn(remoteAddress) ?? '';

/** The address in an entry such as `203.0.113.8:40001`, `[2001:db8::1]:443` or `::ffff:203.0.113.8`. */
function addressIn(entry: string): string | undefined {
  // Most peers are one of these, and each request asks.
  const unmapped = entry.startsWith('::ffff:') ? entry.slice('::ffff:'.length) : entry;
  if (isIPv4(unmapped)) return unmapped;
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  const candidates = bracketed === undefined ? [text, text.replace(/:\d+$/, '')] : [bracketed];
  const found = candidates.map((candidate) => candidate.replace(/%.*$/, '')).find(isAddress);
  return found === undefined ? undefined : ipaddr.process(found).toString();
}

const isAddress = (text: string): boolean => isIP(text) !== 0;

/**
 * The address that rate limits count: of an IPv6 address its /64, which a household usually has.
 */
export function limitedAddress(ip: string): string {
  const address = addressIn(ip);
  if (address === undefined || isIPv4(address)) return address ?? ip;
  return ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}
