import { ApiError } from '@bellhop/protocol/contract';

import type { Exchange } from './exchange.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws CSRF_FAILED for a request that may change something and that a browser sends for a page of
 * another web site; such a request may carry a login that the browser remembers. `ownOrigin` finds
 * the origin of the service's own pages if it differs from the address of the request. Clients that
 * are no browsers send neither header and pass. See docs/decisions/0031-cross-site-requests.md.
 */
export async function refuseCrossSite(
  exchange: Exchange,
  ownOrigin: (exchange: Exchange) => Promise<string | undefined>,
): Promise<void> {
  if (SAFE_METHODS.has(exchange.method) || isSameSite(exchange)) return;
  const origin = exchange.header('origin');
  if (origin !== undefined && origin === (await ownOrigin(exchange))) return;
  throw new ApiError('CSRF_FAILED');
}

/** Decides by `Sec-Fetch-Site`; a browser without it sends `Origin`. */
function isSameSite({ header, host }: Exchange): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = header('origin');
  return origin === undefined || isAtHost(origin, host);
}

/** Whether the origin has this host and port, which a Host header omits for the default port. */
function isAtHost(origin: string, host: string): boolean {
  const own = URL.parse(origin);
  return own !== null && own.host === URL.parse(`${own.protocol}//${host}`)?.host;
}

/**
 * Whether a 401 asks for a login by `WWW-Authenticate`. A browser then opens its password dialog and
 * later sends the login of its own accord, so browsers are asked only where a person opens a page
 * that has no other login.
 */
export function asksForLogin({ header }: Exchange, isPage: boolean): boolean {
  const destination = header('sec-fetch-dest');
  if (destination !== undefined) return isPage && destination === 'document';
  return header('origin') === undefined;
}
