import type { Exchange } from '@bellhop/http';
import { ACCOUNT_HEADER, ApiError, CONSOLE_HEADER, UserId } from '@bellhop/protocol';

import type { Realm } from './caller.ts';

/** The request of a page of the console beside its parameters, and the cookie of the response. */
export interface ConsoleRequest {
  /** Both halves of the session; undefined if one is missing. */
  readonly session: { readonly cookie: string; readonly key: string } | undefined;
  /** The account to act as. Default: the first of the session. */
  readonly account: UserId | undefined;
  /** Sends the cookie's half of the session; undefined removes it. */
  readonly setCookie: (secret: string | undefined, maxAgeSeconds: number) => void;
}

export const isOfConsole = ({ header }: Exchange): boolean => header(CONSOLE_HEADER) !== undefined;

/**
 * Reads a request of the console. Throws CSRF_FAILED unless it is for a known host name and, if a
 * browser sent it, of a page of the same origin. See docs/decisions/0060-console-sessions.md.
 */
export function consoleRequest(exchange: Exchange, realm: Realm): ConsoleRequest {
  requireOwnPage(exchange, realm);
  const name = cookieName(exchange);
  const cookie = readCookie(exchange.header('cookie'), name);
  const key = exchange.header(CONSOLE_HEADER);
  return {
    session: cookie && key ? { cookie, key } : undefined,
    account: UserId.safeParse(Number(exchange.header(ACCOUNT_HEADER))).data,
    setCookie: (secret, maxAge) => {
      const secure = exchange.protocol === 'https' ? '; Secure' : '';
      const life = secret === undefined ? 0 : maxAge;
      exchange.setHeader(
        'set-cookie',
        `${name}=${secret ?? ''}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Strict${secure}`,
      );
    },
  };
}

/** Other names of this machine, which no DNS answer can point here. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

function requireOwnPage({ header, host, protocol }: Exchange, realm: Realm): void {
  const site = header('sec-fetch-site');
  const origin = header('origin');
  const isKnown = host === new URL(realm.url).host || LOOPBACK.test(host);
  const isSame = origin === undefined || origin === `${protocol}://${host}` || origin === realm.url;
  if (isKnown && isSame && (site === undefined || site === 'same-origin')) return;
  throw new ApiError('CSRF_FAILED', {
    message: `Open the console at ${realm.url}/console/: other pages cannot use it.`,
  });
}

/**
 * One name per port: browsers send cookies of one port to all ports of a host. Over plain HTTP
 * browsers refuse the prefix `__Host-`.
 */
function cookieName({ host, protocol }: Exchange): string {
  const isSecure = protocol === 'https';
  const port = /:(\d+)$/.exec(host)?.[1] ?? (isSecure ? '443' : '80');
  return `${isSecure ? '__Host-' : ''}bellhop-${port}`;
}

function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
