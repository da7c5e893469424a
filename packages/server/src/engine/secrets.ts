import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  randomInt,
} from 'node:crypto';

/**
 * Protects stored API keys and webhook tokens: a keyed digest to find them, encryption to show
 * them.
 */
export interface Secrets {
  /** The keyed digest (HMAC) by which a secret is found. */
  readonly mac: (secret: string) => Buffer;
  /** Encrypts a secret. */
  readonly seal: (secret: string) => Buffer;
  /** Decrypts a secret. Throws a WrongSecretError if it was encrypted with another server secret. */
  readonly open: (sealed: Buffer) => string;
}

/** The database was encrypted with another BELLHOP_SECRET than the one that this server has. */
export class WrongSecretError extends Error {
  constructor() {
    super(
      'BELLHOP_SECRET is not the secret with which the API keys in this database are encrypted. Set the one that the server had before, or when the backup was made: without it no key, password or webhook token of the database can be used',
    );
  }
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Derives the keys for digests and encryption from the server secret. */
export function secretsOf(serverSecret: string): Secrets {
  const key = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', serverSecret, 'bellhop', purpose, 32));
  const macKey = createSecretKey(key('index'));
  const sealKey = key('seal');
  return {
    mac: (secret) => createHmac('sha256', macKey).update(secret).digest(),
    seal: (secret) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce);
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open: (sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8');
      try {
        return text + decipher.final('utf8');
      } catch {
        throw new WrongSecretError();
      }
    },
  };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A new API key or webhook token: 32 random letters and digits. */
export const newSecret = (length = 32): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
