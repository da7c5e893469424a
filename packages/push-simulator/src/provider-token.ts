import { createPublicKey, type KeyObject, verify } from 'node:crypto';

import { ApnsRefusal } from './apns-reasons.ts';
import { parseJwt } from './jwt.ts';

const minute = 60_000;
const maxAge = 60 * minute;
const updateInterval = 20 * minute;
const clockSkew = 5 * minute;

/** An Apple signing key as the provider knows it. */
export interface ApnsKey {
  team_id: string;
  key_id: string;
  /** PEM of the private key, as in a `.p8` file. */
  private_key: string;
  /** The bundle ids that it may send to. */
  topics: readonly string[];
  /** Null if it is valid for both of Apple's environments. */
  environment: 'production' | 'sandbox' | null;
}

/** The provider tokens of one connection that Apple remembers. */
export interface TokenHistory {
  token?: string;
  keyId?: string;
  changedAt?: number;
}

/** The signing keys of all teams. Checks the tokens signed with them. */
export class ApnsKeys {
  readonly #keys = new Map<string, ApnsKey & { publicKey: KeyObject }>();
  readonly #verified = new Map<string, { key: ApnsKey; issuedAt: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(key: ApnsKey): void {
    this.#keys.set(key.key_id, { ...key, publicKey: createPublicKey(key.private_key) });
  }

  /**
   * The key that signed the token of an `authorization` header. Throws an `ApnsRefusal` for a token that
   * is missing, invalid, older than 60 minutes, of another team or key than the connection's, or changed
   * twice within 20 minutes.
   */
  check(
    authorization: string | undefined,
    history: TokenHistory,
    environment: 'production' | 'sandbox',
  ): ApnsKey {
    const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new ApnsRefusal('MissingProviderToken');
    const { key, issuedAt } = this.#verified.get(token) ?? this.#verify(token);
    const now = this.#now();
    if (issuedAt > now + clockSkew) throw new ApnsRefusal('InvalidProviderToken');
    if (issuedAt < now - maxAge) throw new ApnsRefusal('ExpiredProviderToken');
    if (key.environment !== null && key.environment !== environment) {
      throw new ApnsRefusal('BadEnvironmentKeyIdInToken');
    }
    if (history.token === token) return key;
    if (history.keyId !== undefined && history.keyId !== key.key_id) {
      throw new ApnsRefusal('UnrelatedKeyIdInToken');
    }
    if (history.changedAt !== undefined && now - history.changedAt < updateInterval) {
      throw new ApnsRefusal('TooManyProviderTokenUpdates');
    }
    Object.assign(history, { token, keyId: key.key_id, changedAt: now });
    return key;
  }

  #verify(token: string): { key: ApnsKey; issuedAt: number } {
    const jwt = parseJwt(token);
    const key = this.#keys.get(String(jwt?.header['kid']));
    if (jwt === undefined || key === undefined || jwt.header['alg'] !== 'ES256') {
      throw new ApnsRefusal('InvalidProviderToken');
    }
    const { iss, iat } = jwt.claims;
    if (iss !== key.team_id || typeof iat !== 'number') {
      throw new ApnsRefusal('InvalidProviderToken');
    }
    const publicKey = { key: key.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    if (!verify('sha256', jwt.signed, publicKey, jwt.signature)) {
      throw new ApnsRefusal('InvalidProviderToken');
    }
    const verified = { key, issuedAt: iat * 1000 };
    if (this.#verified.size >= 1000) this.#verified.clear();
    this.#verified.set(token, verified);
    return verified;
  }
}
