import { createPublicKey, type KeyObject, verify } from 'node:crypto';

import { p256Jwk } from '@bellhop/push-crypto/web-push';

import { parseJwt } from './jwt.ts';
import { WebPushRefusal } from './webpush-errors.ts';

const day = 86_400_000;
const clockSkew = 60_000;

/** The keys of a sender for Web Push, in base64url. */
export interface VapidKey {
  readonly public_key: string;
  readonly private_key: string;
  /** The address at which the push service reaches the sender. */
  readonly subject: string;
}

interface VapidCheck {
  /** The origin of the push service. */
  readonly audience: string;
  /** Unix time in milliseconds. */
  readonly now: number;
}

/**
 * The public key of a sender, from its header `authorization` (RFC 8292). Refuses a token that is
 * missing, malformed, wrongly signed, for another push service, or valid for more than a day.
 */
export function checkVapid(
  authorization: string | string[] | undefined,
  { audience, now }: VapidCheck,
): string {
  const header = Array.isArray(authorization) ? authorization[0] : authorization;
  const token = /^vapid .*\bt=([^,\s]+)/.exec(header ?? '')?.[1];
  const key = /\bk=([\w-]{87})(?:[,\s]|$)/.exec(header ?? '')?.[1];
  const jwt = token === undefined ? undefined : parseJwt(token);
  if (!jwt || key === undefined) throw new WebPushRefusal('unauthorized');
  const { aud, exp, sub } = jwt.claims;
  const isSigned =
    jwt.header['alg'] === 'ES256' &&
    verify(
      'sha256',
      jwt.signed,
      { key: publicKeyOf(key), dsaEncoding: 'ieee-p1363' },
      jwt.signature,
    );
  const isValid =
    typeof exp === 'number' &&
    exp * 1_000 > now - clockSkew &&
    exp * 1_000 <= now + day + clockSkew &&
    aud === audience &&
    typeof sub === 'string' &&
    /^(mailto:|https:\/\/)/.test(sub);
  if (!isSigned || !isValid) throw new WebPushRefusal('unauthorized');
  return key;
}

function publicKeyOf(key: string): KeyObject {
  try {
    return createPublicKey({ key: p256Jwk(key), format: 'jwk' });
  } catch {
    throw new WebPushRefusal('unauthorized');
  }
}
