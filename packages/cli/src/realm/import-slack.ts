import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { argument, defineCommand, textFlag } from '@bellhop/bot-cli/command-line';
import { convertSlack, importRealm, openExport } from '@bellhop/server/portability';
import { secretsOf } from '@bellhop/server/provision';

import { readEnvironment } from '../server/server-environment.ts';
import { afterImport, newSubdomainFlag, printResult } from './import.ts';
import { movingEnvironment, withDatabase } from './in-realm.ts';
import { runLong } from './moving.ts';

export const importSlack = defineCommand({
  description: `Makes an organization of the export of a Slack workspace: the .zip, or its folder. Files are not in such an export: messages keep the links to them. docs/moving.md says what else is not carried over.
${afterImport}
${movingEnvironment}`,
  flags: {
    subdomain: newSubdomainFlag,
    name: textFlag('Name of the organization; that of the folder if left out', 'NAME'),
  },
  args: [argument('export', 'The .zip or folder')],
  async run({ subdomain, name }, path) {
    const { secret, externalUrl, maxUploadMib } = readEnvironment(process.env);
    await withDatabase((db) =>
      runLong(async (long) => {
        await using opened = await openExport(path, 'users.json');
        const converted = await mkdtemp(join(tmpdir(), 'bellhop-slack-'));
        try {
          const given = name ?? nameOf(path);
          const findings = await convertSlack({
            from: opened.folder,
            to: converted,
            name: given,
            ...long,
          });
          const result = await importRealm({
            db,
            secrets: secretsOf(secret),
            externalUrl,
            folder: converted,
            subdomain,
            maxFileBytes: maxUploadMib * 1_048_576,
            ...long,
          });
          printResult({ ...result, counts: { ...result.counts, ...findings } }, subdomain);
        } finally {
          await rm(converted, { recursive: true, force: true });
        }
      }),
    );
  },
});

/** The name of the folder or archive, without its ending. */
const nameOf = (path: string): string =>
  path
    .replace(/[/\\]+$/, '')
    .replace(/^.*[/\\]/s, '')
    .replace(/\.zip$/i, '');
