import { resolve } from 'node:path';

import { argument, type Parameter, UserError } from '@bellhop/bot-cli/command-line';
import { locateSandbox, OTHER_DIRECTORY } from '@bellhop/bot-cli/sandbox';

import { type PhoneEntry, PhoneStore } from './phone-store.ts';

/** The phones of BELLHOP_DATA_DIR, default `.bellhop`, and of the sandbox that runs. */
export async function phonesHere(): Promise<PhoneStore> {
  const own = process.env['BELLHOP_DATA_DIR'] || '.bellhop';
  const running = (await locateSandbox())?.dataDir;
  const isOther = running !== undefined && resolve(own) !== running;
  return new PhoneStore(own, ...(isOther ? [running] : []));
}

export const noPhones = `There are no phones yet: "bellhop device add" adds one, and a sandbox has some. ${OTHER_DIRECTORY}`;

/** Throws a UserError if there is no phone of this name. */
export async function requirePhone(store: PhoneStore, name: string): Promise<PhoneEntry> {
  const phones = await store.list();
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
  proposeCompletions: async () => {
    const phones = await (await phonesHere()).list().catch(() => []);
    return phones.map(({ name }) => name);
  },
};
