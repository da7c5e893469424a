import { hash, verify } from '@node-rs/argon2';

import { Turns } from '../../engine/turns.ts';

/** argon2id as OWASP recommends it: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MAX_CONCURRENT = 4;
const MAX_WAITING_OF_ONE = 50;

/** Hashing is expensive on purpose: a limit keeps logins from starving all other work. */
const turns = new Turns({
  atOnce: MAX_CONCURRENT,
  ofOne: MAX_WAITING_OF_ONE,
  refusal: 'Too many passwords from you are being checked.',
});

/**
 * `whose` is the person who asks, or the address of a client without a login: they take turns. Throws
 * RATE_LIMIT_HIT.
 */
export const hashPassword = (password: string, whose: string): Promise<string> =>
  turns.run(whose, () => hash(password, cost));

let dummyHash: Promise<string> | undefined;

/**
 * Whether the password matches the hash. Without a hash: false, in the same time. `whose`: as in
 * `hashPassword`.
 */
export async function isPassword(
  password: string,
  hashed: string | null | undefined,
  whose: string,
): Promise<boolean> {
  const against = hashed ?? (await (dummyHash ??= hash('nobody', cost)));
  const matches = await turns.run(whose, () => verify(against, password));
  return matches && typeof hashed === 'string';
}
