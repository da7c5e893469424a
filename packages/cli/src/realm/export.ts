import {
  defineCommand,
  requiredFlag,
  switchFlag,
  textFlag,
  UserError,
} from '@bellhop/bot-cli/command-line';
import { exportRealm as writeExport } from '@bellhop/server/portability';
import { createFiles } from '@bellhop/server/provision';

import { readEnvironment } from '../server/server-environment.ts';
import { findRealm, movingEnvironment, subdomainFlag, withDatabase } from './in-realm.ts';
import { runLong } from './moving.ts';

export const exportRealm = defineCommand({
  description: `Writes messages, people, channels, groups, settings and files into a folder, in the form of public Zulip exports. Passwords, API keys, logins, devices and invitations are not in it.
A second run with the same folder continues an export that was interrupted. Messages that are sent while it runs are left out; for an exact copy, deactivate the organization first.
${movingEnvironment}`,
  flags: {
    subdomain: subdomainFlag,
    out: requiredFlag('The folder, which is made', 'FOLDER', String),
    publicOnly: switchFlag(
      'Only public channels with their files, without flags, private settings and hidden addresses',
    ),
    person: textFlag('Only the data of the person with this address', 'E-MAIL'),
  },
  async run({ subdomain, out, publicOnly, person }) {
    if (publicOnly && person !== undefined)
      throw new UserError('Use either --public-only or --person.');
    const { externalUrl, files: settings } = readEnvironment(process.env);
    await withDatabase(async (db) => {
      const { id, name } = await findRealm(db, subdomain);
      const only = publicOnly ? 'public' : person === undefined ? undefined : { email: person };
      const files = createFiles(settings);
      try {
        await runLong((long) =>
          writeExport({
            db,
            realm: id,
            ...(only === undefined ? {} : { only }),
            folder: out,
            externalUrl,
            files,
            ...long,
          }),
        );
      } finally {
        await files.close();
      }
      const what = person === undefined ? `"${name}"` : `The data of ${person} in "${name}"`;
      console.log(`${what} is in ${out}. Keep it like the database: it has what people wrote.`);
    });
  },
});
