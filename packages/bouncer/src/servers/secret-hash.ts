import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256. Keys are long and random, so that a slow hash would not protect them better. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const matches = (secret: string, hash: Buffer): boolean =>
  timingSafeEqual(hashOf(secret), hash);
