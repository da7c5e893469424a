import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import { type Exchange, rateLimit, rateLimitByAddress } from '@bellhop/http';
import { ApiError, CONSOLE_HEADER, type Endpoint, OPERATOR_NAME } from '@bellhop/protocol/bouncer';

import { credentialsOf } from '../servers/admit.ts';

const SESSION_MS = 12 * 3_600_000;
const COOKIE = 'bellhop-operator';
const MAX_NAME = 60;

interface OperatorAdmission {
  /** The current token; undefined: the operator API is off. */
  readonly token: () => string | undefined;
  /** UNIX milliseconds. */
  readonly now: () => number;
}

/**
 * Lets the operator in: programs by HTTP Basic with the token, pages of this bouncer by a session of two
 * halves. The key of a session is a MAC of its cookie under the token, so that every node knows the
 * sessions of the others, and a new token ends all.
 */
export function operatorAdmission({ token, now }: OperatorAdmission) {
  const failures = rateLimitByAddress([{ count: 30, seconds: 60 }]);
  /** A page whose session has ended must not lock its operator out. */
  const endedSessions = rateLimitByAddress([{ count: 30, seconds: 60 }]);
  const calls = rateLimit([{ count: 1200, seconds: 60 }]);
  /**
   * A locked address is refused the right token, too: else the lock would not slow down a guess. Open
   * sessions go on: others at the address must not end the work of the operator.
   */
  const requireUnlocked = failures.requireRoom;
  const fail = async (exchange: Exchange, code: 'AUTHENTICATION_FAILED' | 'UNAUTHORIZED') => {
    const isSession = exchange.header(CONSOLE_HEADER) !== undefined;
    await (isSession ? endedSessions : failures)(exchange);
    throw new ApiError(code, { message: 'The operator token is wrong, or the session has ended' });
  };
  const requireToken = () => {
    const current = token();
    if (current !== undefined) return current;
    throw new ApiError('NOT_FOUND', {
      message: 'The operator API is off: set BELLHOP_BOUNCER_OPERATOR_TOKEN',
    });
  };
  const isOperator = (exchange: Exchange, current: string): boolean => {
    if (exchange.header(CONSOLE_HEADER) === undefined) {
      const credentials = credentialsOf(exchange);
      return credentials !== undefined && isSame(credentials.secret, current);
    }
    requireOwnPage(exchange);
    const cookie = cookieOf(exchange);
    const [until = '0'] = cookie.split('.');
    const key = exchange.header(CONSOLE_HEADER) ?? '';
    return Number(until) > now() && isSame(key, keyOf(cookie, current));
  };
  return {
    admit: async ({ access }: Endpoint, exchange: Exchange): Promise<void> => {
      const current = requireToken();
      if (access === 'anyone') return requireOwnPage(exchange);
      if (exchange.header(CONSOLE_HEADER) === undefined) await requireUnlocked(exchange);
      if (!isOperator(exchange, current)) return fail(exchange, 'UNAUTHORIZED');
      return calls('operator', exchange);
    },
    /** Who acts, for the audit log: the name beside the token, which people give themselves. */
    nameOf: (exchange: Exchange): string => {
      const isPage = exchange.header(CONSOLE_HEADER) !== undefined;
      const name = isPage ? OPERATOR_NAME : (credentialsOf(exchange)?.name ?? OPERATOR_NAME);
      const written = name.replaceAll(/[^\w.@-]/g, '').slice(0, MAX_NAME);
      return name === OPERATOR_NAME || written === '' ? 'console' : written;
    },
    /** Opens a session: sets the cookie and returns the key. */
    signIn: async (given: string, exchange: Exchange): Promise<string> => {
      const current = requireToken();
      await requireUnlocked(exchange);
      if (!isSame(given, current)) return fail(exchange, 'AUTHENTICATION_FAILED');
      const cookie = `${now() + SESSION_MS}.${randomBytes(18).toString('base64url')}`;
      const secure = exchange.protocol === 'https' ? '; Secure' : '';
      exchange.setHeader(
        'set-cookie',
        `${cookieName(exchange)}=${cookie}; Path=/; Max-Age=${SESSION_MS / 1000}; HttpOnly; SameSite=Strict${secure}`,
      );
      return keyOf(cookie, current);
    },
  };
}

/** Compares digests, so that neither length nor duration reveals the token. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', COOKIE).update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

const keyOf = (cookie: string, token: string): string =>
  createHmac('sha256', token).update(`console session ${cookie}`).digest('base64url');

/** Browsers send the cookies of one port to all ports of a host, and take `__Host-` over HTTPS only. */
const cookieName = ({ host, protocol }: Exchange): string =>
  protocol === 'https' ? `__Host-${COOKIE}` : `${COOKIE}-${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;

function cookieOf(exchange: Exchange): string {
  const pairs = exchange.header('cookie')?.split(';') ?? [];
  const prefix = `${cookieName(exchange)}=`;
  const found = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(prefix));
  return found?.slice(prefix.length) ?? '';
}

/** Throws CSRF_FAILED for a page of another origin; another port of this machine is one. */
function requireOwnPage({ header, host, protocol }: Exchange): void {
  const site = header('sec-fetch-site');
  const origin = header('origin');
  const isOwn = origin === undefined || origin === `${protocol}://${host}`;
  if (isOwn && (site === undefined || site === 'same-origin')) return;
  throw new ApiError('CSRF_FAILED');
}
