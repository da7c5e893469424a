import { once } from 'node:events';

import { exportData } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { databaseHelp, operateBouncer } from '../operate-bouncer.ts';
import { realmFlag } from './realm-flag.ts';
import { serverArgument } from './server-argument.ts';

export const exportServer = defineCommand({
  description: `Facts, quotas, realms, devices, what became of notifications in the last 7 days, and the audit log, each line with its type. Without secrets: no keys, and of tokens only hashes.\n${databaseHelp}`,
  flags: realmFlag,
  args: [serverArgument],
  async run({ realm }, subject) {
    await operateBouncer(async (operator) => {
      for await (const record of exportData(operator, subject, realm))
        if (!process.stdout.write(`${JSON.stringify(record)}\n`))
          await once(process.stdout, 'drain');
    });
  },
});
