import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  randomInt,
} from 'node:crypto';

/** Keeps API keys and webhook tokens: found by a keyed digest, shown to their owner by decryption. */
export interface Secrets {
  /** The digest a key is found by; the key cannot be computed from it. */
  readonly mac: (secret: string) => Buffer;
  readonly seal: (secret: string) => Buffer;
  /** Throws when the server secret is not the one it was sealed with. */
  readonly open: (sealed: Buffer) => string;
}

const NONCE = 12;
const TAG = 16;

/** Derives the two keys from the server secret; the same secret opens what it sealed. */
export function secretsOf(serverSecret: string): Secrets {
  const key = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', serverSecret, 'bellhop', purpose, 32));
  const macKey = createSecretKey(key('index'));
  const sealKey = key('seal');
  return {
    mac: (secret) => createHmac('sha256', macKey).update(secret).digest(),
    seal: (secret) => {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce);
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open: (sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, NONCE));
      decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
      return (
        decipher.update(sealed.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8')
      );
    },
  };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A new API key or webhook token: 32 random letters and digits. */
export const newSecret = (length = 32): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
