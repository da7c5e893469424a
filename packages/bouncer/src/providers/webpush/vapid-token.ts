import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';

import { p256Jwk } from '@bellhop/push-crypto/web-push';

import { signedJwt } from '../signed-jwt.ts';

const HOUR = 3_600_000;
/** Push services accept tokens for up to 24 hours. */
const LIFETIME = 12 * HOUR;
/** A token that is valid for less is replaced. */
const RENEW_BEFORE = HOUR;
/** Push services whose tokens are remembered. */
const MAX_TOKENS = 1_000;

/** The public key of a private VAPID key, both base64url. Throws if the key is malformed. */
export function vapidPublicKey(privateKey: string): string {
  const bytes = Buffer.from(privateKey, 'base64url');
  if (bytes.length !== 32) throw new Error('must be 32 bytes in base64url');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(bytes);
  return ecdh.getPublicKey('base64url');
}

interface VapidKey {
  /** Base64url. */
  readonly privateKey: string;
  /** The address at which a push service reaches the operator. */
  readonly subject: string;
}

/** Signs requests to push services (RFC 8292): one token for each of them, for 12 hours. */
export class VapidTokens {
  readonly #private: KeyObject;
  readonly #publicKey: string;
  readonly #subject: string;
  readonly #now: () => number;
  readonly #tokens = new Map<string, { readonly text: string; readonly expiresAt: number }>();

  /** `now` is in milliseconds. */
  constructor({ privateKey, subject }: VapidKey, now: () => number) {
    this.#publicKey = vapidPublicKey(privateKey);
    const jwk = { ...p256Jwk(this.#publicKey), d: privateKey };
    this.#private = createPrivateKey({ key: jwk, format: 'jwk' });
    this.#subject = subject;
    this.#now = now;
  }

  /** The header `Authorization` for a push service. */
  authorization(origin: string): string {
    return `vapid t=${this.#token(origin)}, k=${this.#publicKey}`;
  }

  #token(audience: string): string {
    const known = this.#tokens.get(audience);
    const now = this.#now();
    if (known && now < known.expiresAt - RENEW_BEFORE && now > known.expiresAt - LIFETIME - HOUR)
      return known.text;
    const expiresAt = now + LIFETIME;
    const exp = Math.floor(expiresAt / 1_000);
    const claims = { aud: audience, exp, sub: this.#subject };
    const text = signedJwt({ typ: 'JWT', alg: 'ES256' }, claims, this.#private);
    if (this.#tokens.size >= MAX_TOKENS) this.#tokens.clear();
    this.#tokens.set(audience, { text, expiresAt });
    return text;
  }
}
