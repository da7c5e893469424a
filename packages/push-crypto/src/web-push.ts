import { createCipheriv, createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

import { BadEncoding, CannotOpenBox } from './errors.ts';

/** The keys of a browser's subscription, as its `toJSON()` names them; base64url without padding. */
export interface WebPushKeys {
  /** The public key: an uncompressed point of P-256, 65 bytes. */
  readonly p256dh: string;
  /** A secret of 16 bytes. */
  readonly auth: string;
}
/** The keys of a browser, with those that it keeps secret. */
export interface WebPushSubscription extends WebPushKeys {
  /** 32 bytes, base64url. */
  readonly private_key: string;
}

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
const KEY_BYTES = 65;
const TAG_BYTES = 16;
const RECORD_SIZE = 4096;
const HEADER_BYTES = SALT_BYTES + 4 + 1 + KEY_BYTES;
/** Ends the only record of a message. */
const LAST_RECORD = 2;

/** The longest message in bytes whose encrypted form fits into 4096 bytes. */
export const MAX_WEB_PUSH_BYTES: number = RECORD_SIZE - HEADER_BYTES - TAG_BYTES - 1;

/** The keys of a new subscription. */
export function newWebPushSubscription(): WebPushSubscription {
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  return {
    p256dh: ecdh.getPublicKey('base64url'),
    private_key: base64Url(ecdh.getPrivateKey(), 32),
    auth: randomBytes(16).toString('base64url'),
  };
}

/** A public key (base64url, 65 bytes) as a JSON Web Key. */
export function p256Jwk(publicKey: string): Readonly<Record<'kty' | 'crv' | 'x' | 'y', string>> {
  const point = Buffer.from(publicKey, 'base64url');
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  return { kty: 'EC', crv: 'P-256', x, y };
}

/** The sender's private key and salt of one message, random except in test vectors. */
export interface SenderSecrets {
  /** 32 bytes, base64url. */
  readonly privateKey: string;
  /** 16 bytes, base64url. */
  readonly salt: string;
}

/**
 * Encrypts a message for a browser: RFC 8291, one record of `aes128gcm` (RFC 8188). Throws BadEncoding if
 * a key of the subscription is malformed.
 */
export function encryptWebPush(
  plaintext: Uint8Array,
  { p256dh, auth }: WebPushKeys,
  secrets?: SenderSecrets,
): Buffer {
  const ecdh = createECDH(CURVE);
  if (secrets) ecdh.setPrivateKey(Buffer.from(secrets.privateKey, 'base64url'));
  else ecdh.generateKeys();
  const salt = secrets ? Buffer.from(secrets.salt, 'base64url') : randomBytes(SALT_BYTES);
  const browser = Buffer.from(p256dh, 'base64url');
  const { key, nonce } = derive({
    shared: sharedSecret(ecdh, browser),
    auth: Buffer.from(auth, 'base64url'),
    keys: [browser, ecdh.getPublicKey()],
    salt,
  });
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const record = [cipher.update(plaintext), cipher.update(Uint8Array.of(LAST_RECORD))];
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_SIZE);
  header.writeUInt8(KEY_BYTES, 4);
  return Buffer.concat([
    salt,
    header,
    ecdh.getPublicKey(),
    ...record,
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** Decrypts a message as the browser does. Throws CannotOpenBox. */
export function decryptWebPush(message: Buffer, subscription: WebPushSubscription): Buffer {
  try {
    const sender = message.subarray(SALT_BYTES + 5, HEADER_BYTES);
    const ecdh = createECDH(CURVE);
    ecdh.setPrivateKey(Buffer.from(subscription.private_key, 'base64url'));
    const { key, nonce } = derive({
      shared: ecdh.computeSecret(sender),
      auth: Buffer.from(subscription.auth, 'base64url'),
      keys: [ecdh.getPublicKey(), sender],
      salt: message.subarray(0, SALT_BYTES),
    });
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(message.subarray(-TAG_BYTES));
    const record = [decipher.update(message.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()];
    const padded = Buffer.concat(record);
    const end = padded.lastIndexOf(LAST_RECORD);
    if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new CannotOpenBox();
    return padded.subarray(0, end);
  } catch {
    throw new CannotOpenBox();
  }
}

/** Throws BadEncoding if nothing can be encrypted with these keys. */
export function requireWebPushKeys({ p256dh, auth }: WebPushKeys): void {
  if (Buffer.from(auth, 'base64url').length !== 16)
    throw new BadEncoding('auth must be 16 bytes in base64url');
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  sharedSecret(ecdh, Buffer.from(p256dh, 'base64url'));
}

function sharedSecret(ecdh: ReturnType<typeof createECDH>, other: Buffer): Buffer {
  try {
    return ecdh.computeSecret(other);
  } catch {
    throw new BadEncoding('p256dh must be a point of P-256, 65 bytes in base64url');
  }
}

interface Exchange {
  readonly shared: Buffer;
  readonly auth: Buffer;
  /** The public keys of the browser and of the sender. */
  readonly keys: readonly [Buffer, Buffer];
  readonly salt: Buffer;
}

function derive({ shared, auth, keys, salt }: Exchange) {
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ...keys]);
  const secret = Buffer.from(hkdfSync('sha256', shared, auth, info, 32));
  const derived = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, bytes));
  return { key: derived('aes128gcm', 16), nonce: derived('nonce', 12) };
}

/** A number of `bytes` bytes: node drops leading zeros of private keys. */
const base64Url = (number: Buffer, bytes: number): string =>
  Buffer.concat([Buffer.alloc(bytes - number.length), number]).toString('base64url');
