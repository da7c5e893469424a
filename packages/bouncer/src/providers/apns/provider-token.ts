import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

export interface SigningKey {
  readonly teamId: string;
  readonly keyId: string;
  /** The text of Apple's `.p8` file. */
  readonly privateKey: string;
}

const MINUTE = 60_000;
const LIFETIME = 50 * MINUTE;
const JITTER = 2 * MINUTE;
/** Apple refuses a provider that makes tokens more often than this. */
const SHORTEST_LIFE = 20 * MINUTE;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The ES256 token for one team, key and environment: made rarely, shared by all requests. */
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
   * Apple called this token expired. Answers in how many milliseconds it makes sense to try again:
   * at once with a new token, or with one that another request has made meanwhile; a token younger
   * than 20 minutes is never replaced.
   */
  refused(token: string): number {
    if (token !== this.#token) return 0;
    const age = this.#now() - this.#madeAt;
    if (age < SHORTEST_LIFE) return SHORTEST_LIFE - age;
    this.#make();
    return 0;
  }

  /** Age of the present token in milliseconds; undefined before the first request. */
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
