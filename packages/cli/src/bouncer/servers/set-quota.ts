import { parseQuota, quotaNames, setQuotas } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { argument } from '../../command-line/flags.ts';
import { UsageError } from '../../command-line/user-error.ts';
import { databaseHelp, operateBouncer } from '../operate-bouncer.ts';

export const setQuota = defineCommand({
  description: `Takes the server and one or more quotas, as in: set-quota chat.example.com notifications_per_day=100000
A value is a number, unlimited, or default: that of BELLHOP_BOUNCER_QUOTAS. The quotas are:
  ${quotaNames.join('\n  ')}
${databaseHelp}`,
  args: { each: argument('server|quota=value', 'ID or host name of the chat server, then quotas') },
  async run(_flags, subject, ...written) {
    if (subject === undefined || written.length === 0)
      throw new UsageError('Write a server and at least one quota, such as realm_devices=1000.');
    const settings = written.map(settingOf);
    const hostname = await operateBouncer((operator) => setQuotas(operator, subject, settings));
    console.log(`The chat server ${hostname} now has ${written.join(', ')}.`);
  },
});

function settingOf(text: string) {
  try {
    return parseQuota(text);
  } catch (error) {
    throw new UsageError(error instanceof Error ? `${error.message}.` : String(error));
  }
}
