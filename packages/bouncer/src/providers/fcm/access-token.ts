import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

import { z } from 'zod';

import { H2Pool, type H2PoolOptions } from '../../http2/h2-pool.ts';

/** The part of a service account's key file that is needed to send. */
export const ServiceAccount = z.object({
  project_id: z.string().regex(/^[\w:.-]+$/),
  private_key_id: z.string().min(1),
  private_key: z.string().min(1),
  client_email: z.string().min(1),
  token_uri: z.url(),
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

/** Google refused the service account itself; asking again will not help. */
export class AccountRefused extends Error {}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const PAUSE_AFTER_REFUSAL_MS = 10_000;
const Answer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Held {
  readonly token: string;
  readonly madeAt: number;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** The OAuth access token of a service account, renewed at 80 % of its life, by one request at a time. */
export class AccessToken {
  readonly #account: ServiceAccount;
  readonly #private: KeyObject;
  readonly #pool: H2Pool;
  readonly #path: string;
  readonly #now: () => number;
  #held: Held | undefined;
  #asking: Promise<Held> | undefined;
  #refused: { readonly error: AccountRefused; readonly until: number } | undefined;

  /** `pool` are options of the connection to the account's token endpoint. `now`: milliseconds. */
  constructor(account: ServiceAccount, pool: Omit<H2PoolOptions, 'origin'>, now: () => number) {
    this.#account = account;
    this.#private = createPrivateKey(account.private_key);
    const { origin, pathname, search } = new URL(account.token_uri);
    this.#path = pathname + search;
    this.#pool = new H2Pool({ ...pool, origin, maxSessions: 1 });
    this.#now = now;
  }

  /** A token that works, as far as we know. Throws AccountRefused, or the trouble on the way. */
  async get(): Promise<string> {
    const held = this.#held;
    if (held && this.#now() < held.renewAt) return held.token;
    try {
      return (await this.#ask()).token;
    } catch (error) {
      if (held && held === this.#held && this.#now() < held.expiresAt) return held.token;
      throw error;
    }
  }

  /** Google did not accept this token: forget it, unless another has taken its place already. */
  refused(token: string): void {
    if (this.#held?.token === token) this.#held = undefined;
  }

  age(): number | undefined {
    return this.#held && this.#now() - this.#held.madeAt;
  }

  close(): void {
    this.#pool.close();
  }

  #ask(): Promise<Held> {
    if (this.#refused && this.#now() < this.#refused.until)
      return Promise.reject(this.#refused.error);
    this.#asking ??= this.#exchange().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #exchange(): Promise<Held> {
    const madeAt = this.#now();
    const response = await this.#pool.request({
      path: this.#path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: GRANT,
        assertion: this.#assertion(madeAt),
      }).toString(),
    });
    const { status, body } = response;
    if (status >= 400 && status < 500 && status !== 429) {
      const error = new AccountRefused(
        `the token endpoint refused the service account: ${body.slice(0, 200)}`,
      );
      this.#refused = { error, until: madeAt + PAUSE_AFTER_REFUSAL_MS };
      throw error;
    }
    if (status !== 200) throw new Error(`the token endpoint answered with status ${status}`);
    const answer = Answer.parse(JSON.parse(body));
    this.#refused = undefined;
    const lifeMs = answer.expires_in * 1_000;
    this.#held = {
      token: answer.access_token,
      madeAt,
      renewAt: madeAt + lifeMs * 0.8,
      expiresAt: madeAt + lifeMs,
    };
    return this.#held;
  }

  #assertion(nowMs: number): string {
    const now = Math.floor(nowMs / 1_000);
    const account = this.#account;
    const header = encode({ alg: 'RS256', typ: 'JWT', kid: account.private_key_id });
    const claims = encode({
      iss: account.client_email,
      scope: SCOPE,
      aud: account.token_uri,
      iat: now,
      exp: now + 3_600,
    });
    const signature = sign('sha256', Buffer.from(`${header}.${claims}`), this.#private);
    return `${header}.${claims}.${signature.toString('base64url')}`;
  }
}
