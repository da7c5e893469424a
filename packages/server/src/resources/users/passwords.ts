import { hash, verify } from '@node-rs/argon2';

/** argon2id as OWASP recommends it: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MAX_CONCURRENT = 4;

let running = 0;
const queue: (() => void)[] = [];

/** Hashing is expensive on purpose: a limit keeps logins from starving all other work. */
async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => queue.push(resolve));
  running++;
  try {
    return await work();
  } finally {
    running--;
    queue.shift()?.();
  }
}

export const hashPassword = (password: string): Promise<string> =>
  limited(() => hash(password, cost));

let dummyHash: Promise<string> | undefined;

/** Whether the password matches the hash. Without a hash: false, in the same time. */
export async function isPassword(
  password: string,
  hashed: string | null | undefined,
): Promise<boolean> {
  const against = hashed ?? (await (dummyHash ??= hashPassword('nobody')));
  const matches = await limited(() => verify(against, password));
  return matches && typeof hashed === 'string';
}
