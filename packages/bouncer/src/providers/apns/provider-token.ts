import type { KeyObject } from 'node:crypto';

import { openPrivateKey } from '../open-private-key.ts';
import { signedJwt } from '../signed-jwt.ts';

interface SigningKey {
  readonly teamId: string;
  readonly keyId: string;
  /** The text of Apple's `.p8` file. */
  readonly privateKey: string;
}

const MINUTE = 60_000;
const LIFETIME = 50 * MINUTE;
const JITTER = 2 * MINUTE;
/** Apple refuses a provider that renews its token more often. */
const MIN_AGE = 20 * MINUTE;
const CLOCK_TOLERANCE = MINUTE;

/** Opens the text of a `.p8` file. The message of its error names the fault, without the text. */
export function openSigningKey(text: string): KeyObject {
  const key = openPrivateKey(text);
  if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  const { namedCurve } = key.asymmetricKeyDetails ?? {};
  const found = namedCurve ?? key.asymmetricKeyType?.toUpperCase();
  throw new Error(`is a private key of another kind (${found}); a .p8 file of Apple is EC P-256`);
}

/**
 * The ES256 token of one team and key, shared by all requests. It is renewed after about 50
 * minutes.
 */
export class ProviderToken {
  readonly #key: SigningKey;
  readonly #private: KeyObject;
  readonly #now: () => number;
  readonly #random: () => number;
  #token = '';
  #madeAt = Number.NEGATIVE_INFINITY;
  #renewAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds of the monotonic clock, which a change of the system time does not move. */
  #replacedAt = Number.NEGATIVE_INFINITY;

  /** Throws as `openSigningKey`. `now` is in milliseconds. */
  constructor(key: SigningKey, now: () => number, random: () => number = Math.random) {
    this.#private = openSigningKey(key.privateKey);
    this.#key = key;
    this.#now = now;
    this.#random = random;
  }

  get(): string {
    if (this.#now() >= this.#renewAt) this.#make();
    return this.#token;
  }

  /**
   * Replaces a token that Apple called expired, whatever its age: the clock may have been wrong when it
   * was made. `too_soon` if one was replaced less than 20 minutes ago: Apple refuses a provider that
   * makes more of them.
   */
  replace(expired: string): 'replaced' | 'replaced_before' | 'too_soon' {
    if (expired !== this.#token) return 'replaced_before';
    const now = performance.now();
    if (now - this.#replacedAt < MIN_AGE) return 'too_soon';
    this.#replacedAt = now;
    this.#make();
    return 'replaced';
  }

  /** Replaces a token of the future: the clock was wrong when it was made, and has been set back. */
  replaceAfterClockSetBack(): boolean {
    if (this.#now() >= this.#madeAt - CLOCK_TOLERANCE) return false;
    this.#make();
    return true;
  }

  /** Age of the present token in milliseconds. Undefined before the first request. */
  age(): number | undefined {
    return this.#token === '' ? undefined : this.#now() - this.#madeAt;
  }

  #make(): void {
    const now = this.#now();
    const header = { alg: 'ES256', kid: this.#key.keyId };
    const claims = { iss: this.#key.teamId, iat: Math.floor(now / 1_000) };
    this.#token = signedJwt(header, claims, this.#private);
    this.#madeAt = now;
    this.#renewAt = now + LIFETIME + (this.#random() * 2 - 1) * JITTER;
  }
}
