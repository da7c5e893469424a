import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A login of the sandbox: programs that read `sandbox.json` use it instead of the link. */
interface ProgramLogin {
  readonly email: string;
  readonly api_key: string;
}

const COOKIE = 'bellhop_console';
const newToken = () => randomBytes(24).toString('base64url');

/**
 * Who may see the console: the browser that opened the one-time link, and programs with the login of
 * a sandbox user. Other users of the machine reach its port, but may not read its passwords.
 */
export class ConsoleAccess {
  readonly #session = newToken();
  #link = newToken();
  #logins: readonly ProgramLogin[] = [];

  /** The path of the link. It works once; then there is another one. */
  get path(): string {
    return `/open/${this.#link}`;
  }

  admit(logins: readonly ProgramLogin[]): void {
    this.#logins = logins;
  }

  /** The cookie for a browser that opens the link; undefined for any other path. */
  open(path: string): string | undefined {
    if (!isSame(path, this.path)) return undefined;
    this.#link = newToken();
    return `${COOKIE}=${this.#session}; HttpOnly; SameSite=Lax; Path=/`;
  }

  allows({ headers }: IncomingMessage): boolean {
    const cookies = headers.cookie?.split(';').map((cookie) => cookie.trim()) ?? [];
    const { authorization = '' } = headers;
    return (
      cookies.some((cookie) => isSame(cookie, `${COOKIE}=${this.#session}`)) ||
      this.#logins.some((login) => isSame(authorization, consoleAuthorization(login)))
    );
  }
}

/** The `Authorization` header of a program. */
export const consoleAuthorization = ({ email, api_key }: ProgramLogin): string =>
  `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`;

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
