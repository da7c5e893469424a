import { type KeyObject, sign } from 'node:crypto';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JSON Web Token (RFC 7519), signed by a private key: ES256 of EC P-256, RS256 of RSA. */
export function signedJwt(header: object, claims: object, key: KeyObject): string {
  const text = `${encode(header)}.${encode(claims)}`;
  // The encoding is that of EC signatures in such tokens (RFC 7518, 3.4); those of RSA have only one.
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
