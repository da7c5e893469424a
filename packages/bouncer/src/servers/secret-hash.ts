import { createHash, timingSafeEqual } from 'node:crypto';

/** Keys are long and random: one SHA-256 protects them, a slow hash would add nothing. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const matches = (secret: string, hash: Buffer): boolean =>
  timingSafeEqual(hashOf(secret), hash);
