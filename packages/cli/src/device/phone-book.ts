import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { makeSecretDirectory } from '@bellhop/directory-lock';
import { TokenKind, WebPushKeys } from '@bellhop/protocol';
import { z } from 'zod';

import { argument, type Parameter } from '../command-line/flags.ts';
import { UserError } from '../command-line/user-error.ts';

/** A simulated phone: its owner's login, its app's token and keys, and the simulator that it is at. */
export const PhoneEntry = z.object({
  name: z.string(),
  kind: TokenKind,
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
  identity: z.object({
    push_account_id: z.string(),
    key: z.object({ push_key: z.string(), secret_key: z.string() }),
  }),
});
export type PhoneEntry = z.output<typeof PhoneEntry>;

const PhoneBook = z.object({ phones: z.array(PhoneEntry) });

/** `phones.json` in BELLHOP_DATA_DIR, or in `.bellhop`. */
const path = (): string => join(process.env['BELLHOP_DATA_DIR'] || '.bellhop', 'phones.json');

/** The phones that `bellhop device add` made. Throws a UserError if the file is damaged. */
export async function readPhones(): Promise<PhoneEntry[]> {
  const text = await readFile(path(), 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  try {
    return PhoneBook.parse(JSON.parse(text)).phones;
  } catch {
    throw new UserError(`${path()} is damaged: remove it and add the phones again.`);
  }
}

/** Replaces the phone of this name, adds it, or removes it. Only the owner may read the file. */
export async function savePhone(name: string, entry: PhoneEntry | undefined): Promise<void> {
  const phones = await readPhones();
  const at = phones.findIndex((phone) => phone.name === name);
  phones.splice(at < 0 ? phones.length : at, at < 0 ? 0 : 1, ...(entry ? [entry] : []));
  await makeSecretDirectory(dirname(path()));
  const written = `${path()}.new`;
  await writeFile(written, `${JSON.stringify({ phones }, null, 2)}\n`, { mode: 0o600 });
  await rename(written, path());
}

/** The phones that a sandbox starts with are its own: no file has them. */
export const noPhones =
  'There are no phones yet: "bellhop device add" adds one. Those that the sandbox starts with are for its console.';

/** Throws a UserError if there is no phone of this name. */
export async function requirePhone(name: string): Promise<PhoneEntry> {
  const phones = await readPhones();
  const phone = phones.find((one) => one.name === name);
  if (phone) return phone;
  const names = phones.map((one) => one.name).join(', ');
  throw new UserError(
    phones.length === 0 ? noPhones : `There is no phone ${name}: there are ${names}.`,
  );
}

/** An argument that names a phone. */
export const phoneName: Parameter<string> = {
  ...argument('name', 'The name of the phone, as "bellhop device list" shows it'),
  proposeCompletions: async () => (await readPhones().catch(() => [])).map(({ name }) => name),
};
