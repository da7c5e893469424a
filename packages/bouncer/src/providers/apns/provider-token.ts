import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

import type { ApnsConfig } from './apns-config.ts';

type SigningKey = Pick<ApnsConfig, 'teamId' | 'keyId' | 'privateKey'>;

const MINUTE = 60_000;
const LIFETIME = 50 * MINUTE;
const JITTER = 2 * MINUTE;
/** Apple refuses a provider that renews its token more often. */
const MIN_AGE = 20 * MINUTE;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The ES256 token of one team and key, shared by all requests. Lives about 50 minutes. */
export class ProviderToken {
  readonly #key: SigningKey;
  readonly #private: KeyObject;
  readonly #now: () => number;
  readonly #random: () => number;
  #token = '';
  #madeAt = Number.NEGATIVE_INFINITY;
  #renewAt = Number.NEGATIVE_INFINITY;

  /** Throws if the key is not an EC private key in PEM. `now` is in milliseconds. */
  constructor(key: SigningKey, now: () => number, random: () => number = Math.random) {
    this.#private = createPrivateKey(key.privateKey);
    if (this.#private.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
      throw new Error('the APNs key is not a P-256 private key');
    this.#key = key;
    this.#now = now;
    this.#random = random;
  }

  get(): string {
    if (this.#now() >= this.#renewAt) this.#make();
    return this.#token;
  }

  /**
   * Replaces a token that Apple called expired. Returns the milliseconds to wait before the next
   * attempt: 0 if there is a new token, else until the present one is 20 minutes old.
   */
  renew(expired: string): number {
    if (expired !== this.#token) return 0;
    const age = this.#now() - this.#madeAt;
    if (age < MIN_AGE) return MIN_AGE - age;
    this.#make();
    return 0;
  }

  /** Age of the present token in milliseconds. Undefined before the first request. */
  age(): number | undefined {
    return this.#token === '' ? undefined : this.#now() - this.#madeAt;
  }

  #make(): void {
    const now = this.#now();
    const header = encode({ alg: 'ES256', kid: this.#key.keyId });
    const claims = encode({ iss: this.#key.teamId, iat: Math.floor(now / 1_000) });
    const signature = sign('sha256', Buffer.from(`${header}.${claims}`), {
      key: this.#private,
      dsaEncoding: 'ieee-p1363',
    });
    this.#token = `${header}.${claims}.${signature.toString('base64url')}`;
    this.#madeAt = now;
    this.#renewAt = now + LIFETIME + (this.#random() * 2 - 1) * JITTER;
  }
}
