import { argument, defineCommand, switchFlag, valueFlag } from '@bellhop/bot-cli/command-line';
import {
  importRealm as readExport,
  type ImportResult,
  openExport,
} from '@bellhop/server/portability';
import { secretsOf } from '@bellhop/server/provision';

import { readEnvironment } from '../server/server-environment.ts';
import { movingEnvironment, withDatabase } from './in-realm.ts';
import { runLong } from './moving.ts';

export const newSubdomainFlag = valueFlag(
  'Subdomain of the new organization; the default one if left out',
  'name',
  parseSubdomain,
  '',
);

function parseSubdomain(text: string): string {
  if (text === '' || /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new SyntaxError('write lower-case letters, digits and dashes, such as acme');
}

/** What people do after an import. */
export const afterImport = `Nobody has a password then: people choose one by the link for forgotten passwords, or by one that "bellhop realm reset-password" prints. Bots have new keys.
A second run with the same export continues an import that was interrupted.`;

/** Prints what was brought, and what was left out. */
export function printResult({ counts }: ImportResult, subdomain: string): void {
  const names = Object.keys(counts).toSorted();
  const width = Math.max(...names.map((name) => String(counts[name]).length));
  for (const name of names)
    if (counts[name] !== 0) console.log(`${String(counts[name]).padStart(width)}  ${name}`);
  console.log(
    `The organization ${subdomain === '' ? '' : `"${subdomain}" `}is there, and its people can choose passwords.`,
  );
}

export const importRealm = defineCommand({
  description: `Makes an organization of an export: the folder, or a .tar.gz or .zip of it, that "bellhop realm export" or a public Zulip server has written. docs/moving.md says what is not carried over.
${afterImport}
${movingEnvironment}`,
  flags: {
    subdomain: newSubdomainFlag,
    formerUrl: valueFlag(
      'The address that the organization had, for links in messages: https://old.example.com',
      'URL',
      parseUrl,
    ),
    anyVersion: switchFlag('Import an export of a version that is not known'),
  },
  args: [argument('export', 'The folder or archive')],
  async run({ subdomain, formerUrl, anyVersion }, path) {
    const { secret, externalUrl, maxUploadMib } = readEnvironment(process.env);
    await withDatabase((db) =>
      runLong(async (long) => {
        await using opened = await openExport(path, 'realm.json');
        const result = await readExport({
          db,
          secrets: secretsOf(secret),
          externalUrl,
          folder: opened.folder,
          subdomain,
          ...(formerUrl === undefined ? {} : { formerUrl }),
          anyVersion,
          maxFileBytes: maxUploadMib * 1_048_576,
          ...long,
        });
        printResult(result, subdomain);
      }),
    );
  },
});

function parseUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.origin;
  throw new SyntaxError('write an address such as https://chat.example.com');
}
