import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const cipherKeyOf = (encryptionKey: string) =>
  Buffer.from(hkdfSync('sha256', encryptionKey, '', 'bellhop bouncer: private keys', 32));

/** A secret and the public text that it belongs to: one cannot be moved to another row. */
interface Sealable {
  readonly secret: string;
  readonly publicText: string;
}

/** Encrypts a secret with AES-256-GCM: nonce, tag, ciphertext. `encryptionKey` is long and random. */
export function sealSecret({ secret, publicText }: Sealable, encryptionKey: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, cipherKeyOf(encryptionKey), nonce);
  cipher.setAAD(Buffer.from(publicText));
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Opens a secret with the key that sealed it. Undefined if none of the keys did. */
export function openSecret(
  sealed: Buffer,
  publicText: string,
  encryptionKeys: readonly string[],
): string | undefined {
  for (const key of encryptionKeys) {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, cipherKeyOf(key), nonce);
    decipher.setAAD(Buffer.from(publicText));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString();
    } catch {
      // Another key sealed it.
    }
  }
  return undefined;
}
