import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { UserError } from '@bellhop/bot-cli/command-line';
import {
  createFileWhole,
  makeDirectory,
  makeSecretDirectory,
  writeFileWhole,
} from '@bellhop/directory-lock';
import { TokenKind, WebPushKeys } from '@bellhop/protocol';
import { z } from 'zod';

const SharedKey = z.object({ push_key_id: z.int(), push_key: z.string() });

const Identity = z.union([
  z.object({
    push_account_id: z.string(),
    key: z.object({ push_key: z.string(), secret_key: z.string() }),
  }),
  z.object({ device_id: z.int(), key: SharedKey, older_keys: z.array(SharedKey).readonly() }),
]);

/** Times before a rotation that are kept, by which older pushes are traced. */
export const MAX_EARLIER = 4;

/** A simulated phone: its owner's login, its app's token and keys, and the simulator that it is at. */
const PhoneEntry = z.object({
  name: z.string(),
  kind: TokenKind,
  /** The owner, if the sandbox of this directory has the phone, which then changes it. */
  user_id: z.int().optional(),
  server_url: z.string(),
  email: z.string(),
  api_key: z.string(),
  bouncer_public_key: z.string(),
  simulator: z.object({ control_url: z.string(), control_token: z.string() }),
  token: z.string(),
  app_id: z.string(),
  /** The app that an Android phone names to the bouncer; absent: none. */
  android_app_id: z.string().optional(),
  /** The keys of a browser. */
  subscription: WebPushKeys.nullish(),
  identity: Identity,
  /** What it had before its rotations, the newest first. */
  earlier: z
    .array(z.object({ token: z.string(), subscription: WebPushKeys.nullish(), identity: Identity }))
    .readonly()
    .optional(),
});
export type PhoneEntry = z.output<typeof PhoneEntry>;

/** `phones.json` of earlier versions: the phones of "bellhop device add". */
const PhoneBook = z.object({ phones: z.array(PhoneEntry) });

/**
 * The simulated phones in `phones/` of data directories. Each has a file of its own, which only you may read:
 * programs that add phones at the same time do not overwrite each other's.
 */
export class PhoneStore {
  readonly dataDirs: readonly string[];

  /** New phones are kept in the first directory. */
  constructor(...dataDirs: readonly [string, ...string[]]) {
    this.dataDirs = dataDirs;
  }

  /** The phones by their names. Throws a UserError for a damaged file. */
  async list(): Promise<PhoneEntry[]> {
    const found = await Promise.all(this.dataDirs.map(phonesIn));
    return found.flat().toSorted((a, b) => a.name.localeCompare(b.name));
  }

  async find(name: string): Promise<PhoneEntry | undefined> {
    return (await this.list()).find((phone) => phone.name === name);
  }

  /** Throws a UserError if there is a phone of this name. */
  async add(entry: PhoneEntry): Promise<void> {
    const [dataDir = ''] = this.dataDirs;
    await makeSecretDirectory(dataDir);
    await makeDirectory(join(dataDir, 'phones'), 0o700);
    const isTaken = (await this.find(entry.name)) !== undefined;
    if (isTaken || !(await createFileWhole(fileIn(dataDir, entry.name), textOf(entry))))
      throw new UserError(`There is a phone ${entry.name}: choose another name.`);
  }

  /** Replaces the phone of this name. */
  async replace(entry: PhoneEntry): Promise<void> {
    for (const dataDir of this.dataDirs)
      if ((await phonesIn(dataDir)).some(({ name }) => name === entry.name))
        return writeFileWhole(fileIn(dataDir, entry.name), textOf(entry));
  }

  async remove(name: string): Promise<void> {
    for (const dataDir of this.dataDirs) await rm(fileIn(dataDir, name), { force: true });
  }
}

/** Names may have any length, and characters that a file name cannot have. */
const fileIn = (dataDir: string, name: string) =>
  join(dataDir, 'phones', `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`);

const textOf = (entry: PhoneEntry) => `${JSON.stringify(entry, null, 2)}\n`;

async function phonesIn(dataDir: string): Promise<PhoneEntry[]> {
  await splitPhoneBook(dataDir);
  const files = await readdir(join(dataDir, 'phones')).catch(() => []);
  const read = files
    .filter((file) => file.endsWith('.json'))
    .map((file) => readPhoneFile(join(dataDir, 'phones', file), PhoneEntry));
  return (await Promise.all(read)).filter((entry) => entry !== undefined);
}

/** Undefined if there is no file, or no more: another program may have removed it. */
async function readPhoneFile<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new UserError(`${path} is damaged: remove it and add the phones again.`);
  }
}

/** Gives each phone of a `phones.json` its own file. */
async function splitPhoneBook(dataDir: string): Promise<void> {
  const path = join(dataDir, 'phones.json');
  const book = await readPhoneFile(path, PhoneBook);
  if (!book) return;
  await makeDirectory(join(dataDir, 'phones'), 0o700);
  for (const entry of book.phones)
    await createFileWhole(fileIn(dataDir, entry.name), textOf(entry));
  await rm(path, { force: true });
}
