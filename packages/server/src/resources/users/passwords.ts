import { hash, verify } from '@node-rs/argon2';

/** argon2id as OWASP recommends it: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MOST_AT_ONCE = 4;

let running = 0;
const queue: (() => void)[] = [];

/** Hashing is dear on purpose; more than a few at a time would let logins starve everything else. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => queue.push(resolve));
  running++;
  try {
    return await work();
  } finally {
    running--;
    queue.shift()?.();
  }
}

export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(password, cost));

let nobodys: Promise<string> | undefined;

/** Whether the password is the one that was hashed. Without a hash it takes as long and says no. */
export async function isPassword(
  password: string,
  hashed: string | null | undefined,
): Promise<boolean> {
  const against = hashed ?? (await (nobodys ??= hashPassword('nobody')));
  const matches = await inTurn(() => verify(against, password));
  return matches && typeof hashed === 'string';
}
