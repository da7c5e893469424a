import type { KeyObject } from 'node:crypto';

import { parseRetryAfter } from '@bellhop/protocol/bouncer';
import { z } from 'zod';

import { H2Pool, type H2PoolOptions } from '../../http2/h2-pool.ts';
import { clockSkew } from '../clock-skew.ts';
import { joinTexts, shortText, textIn } from '../provider-text.ts';
import { isTemporary, LONGEST_DELAY } from '../provider-verdict.ts';
import { signedJwt } from '../signed-jwt.ts';
import { openAccountKey, type ServiceAccount } from './service-account.ts';

/** Google refused the service account itself; a retry will not help. */
export class AccountRefused extends Error {
  /** The assertion was dated by a wrong clock. */
  readonly isClockWrong: boolean;

  constructor(message: string, isClockWrong: boolean) {
    super(message);
    this.isClockWrong = isClockWrong;
  }
}

/** Google's token endpoint answered with 429, 5xx or another status that passes. */
export class TokenEndpointOverloaded extends Error {
  /** Seconds that it asks to wait. */
  readonly after: number;

  constructor(status: number, after: number) {
    super(`the token endpoint answered with status ${status}`);
    this.after = after;
  }
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const PAUSE_AFTER_REFUSAL_MS = 10_000;
const OVERLOADED_SECONDS = 5;
/** A token is replaced at most this often. */
const REPLACE_AFTER_MS = 60_000;
const TokenResponse = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
});

/** OAuth names the error in a code and a description. */
function textOf(body: string): string {
  try {
    const { error, error_description } = JSON.parse(body) as Record<string, unknown>;
    return joinTexts(textIn(error), textIn(error_description)) ?? '';
  } catch {
    return shortText(body) ?? '';
  }
}

interface IssuedToken {
  readonly text: string;
  readonly madeAt: number;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** The OAuth access token of a service account. One request at a time renews it, at 80 % of its life. */
export class AccessToken {
  readonly #account: ServiceAccount;
  readonly #private: KeyObject;
  readonly #pool: H2Pool;
  readonly #path: string;
  readonly #now: () => number;
  #token: IssuedToken | undefined;
  #replacedAt = Number.NEGATIVE_INFINITY;
  #exchanging: Promise<IssuedToken> | undefined;
  #refused: { readonly error: AccountRefused; readonly until: number } | undefined;

  /** `pool`: options of the connection to the token endpoint. `now`: UNIX milliseconds. */
  constructor(account: ServiceAccount, pool: Omit<H2PoolOptions, 'origin'>, now: () => number) {
    this.#account = account;
    this.#private = openAccountKey(account);
    const { origin, pathname, search } = new URL(account.token_uri);
    this.#path = pathname + search;
    this.#pool = new H2Pool({ ...pool, origin, maxSessions: 1 });
    this.#now = now;
  }

  /**
   * A token that has not expired; the old one if renewing fails. Throws AccountRefused,
   * TokenEndpointOverloaded, or the error of the request to the token endpoint.
   */
  async get(): Promise<string> {
    const token = this.#token;
    if (token && this.#now() < token.renewAt) return token.text;
    try {
      return (await this.#renew()).text;
    } catch (error) {
      if (token && token === this.#token && this.#now() < token.expiresAt) return token.text;
      throw error;
    }
  }

  /**
   * A token to try instead of one that Google did not accept. Others go on with the present token until the
   * new one is there: the refusal may be about one phone. Undefined if one was replaced a short time ago:
   * the token is not at fault. Throws as `get`.
   */
  async replace(refused: string): Promise<string | undefined> {
    const token = this.#token;
    if (token && token.text !== refused) return token.text;
    if (this.#now() - this.#replacedAt < REPLACE_AFTER_MS) return undefined;
    const { text } = await this.#renew();
    this.#replacedAt = this.#now();
    return text;
  }

  /** Age of the present token in milliseconds. Undefined if there is none. */
  age(): number | undefined {
    return this.#token && this.#now() - this.#token.madeAt;
  }

  close(): void {
    this.#pool.close();
  }

  #renew(): Promise<IssuedToken> {
    if (this.#refused && this.#now() < this.#refused.until)
      return Promise.reject(this.#refused.error);
    this.#exchanging ??= this.#exchange().finally(() => (this.#exchanging = undefined));
    return this.#exchanging;
  }

  async #exchange(): Promise<IssuedToken> {
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
    if (status >= 400 && status !== 429 && !isTemporary(status)) {
      const skew = clockSkew(response.headers, madeAt);
      const error = new AccountRefused(
        `${skew ? `${skew}; ` : ''}the token endpoint refused the service account: ${textOf(body)}`,
        skew !== undefined,
      );
      this.#refused = { error, until: madeAt + PAUSE_AFTER_REFUSAL_MS };
      throw error;
    }
    if (status !== 200) {
      const asked = parseRetryAfter(response.headers['retry-after'], madeAt);
      const after = Math.min(Math.max(asked ?? 0, OVERLOADED_SECONDS), LONGEST_DELAY);
      throw new TokenEndpointOverloaded(status, after);
    }
    const issued = TokenResponse.parse(JSON.parse(body));
    this.#refused = undefined;
    const lifeMs = issued.expires_in * 1_000;
    this.#token = {
      text: issued.access_token,
      madeAt,
      renewAt: madeAt + lifeMs * 0.8,
      expiresAt: madeAt + lifeMs,
    };
    return this.#token;
  }

  #assertion(nowMs: number): string {
    const now = Math.floor(nowMs / 1_000);
    const account = this.#account;
    const header = { alg: 'RS256', typ: 'JWT', kid: account.private_key_id };
    const claims = {
      iss: account.client_email,
      scope: SCOPE,
      aud: account.token_uri,
      iat: now,
      exp: now + 3_600,
    };
    return signedJwt(header, claims, this.#private);
  }
}
