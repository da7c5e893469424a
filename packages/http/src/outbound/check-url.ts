import { isIP } from 'node:net';

import type { AddressPolicy } from './address-policy.ts';
import { OutboundError } from './outbound-error.ts';

const maxLength = 2000;

const forbidden = (sentence: string) => new OutboundError('address_forbidden', { sentence });

/** The host without IPv6 brackets and without a final dot. */
export const bareHost = (host: string) => host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

const isLocalName = (host: string) => host === 'localhost' || host.endsWith('.localhost');

/**
 * Parses a URL and checks everything that needs no network: scheme, port, credentials, and addresses
 * in any spelling. Throws an OutboundError (`address_forbidden`).
 */
export function checkUrl(text: string, policy: AddressPolicy): URL {
  const url = text.length <= maxLength ? URL.parse(text) : null;
  if (!url) throw forbidden(`This is not a URL of at most ${maxLength} characters.`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw forbidden('Only http and https URLs can be called.');
  }
  if (url.username !== '' || url.password !== '') {
    throw forbidden('The URL must not contain a user name or password.');
  }
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port !== 80 && port !== 443 && port < 1024) {
    throw forbidden('Only the ports 80, 443 and those from 1024 on can be called.');
  }
  checkHost(bareHost(url.hostname), policy);
  return url;
}

/** Throws for a forbidden address and for names of this machine. */
export function checkHost(host: string, policy: AddressPolicy): void {
  if (host === '' || host.length > 253) throw forbidden('The URL has no valid host name.');
  const address = isLocalName(host) ? '127.0.0.1' : host;
  if (isIP(address) !== 0 && !policy.permits(address)) throw notPublic();
}

export const notPublic = () => new OutboundError('address_forbidden');
