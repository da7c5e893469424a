import { deleteRealm, deleteServer, showServer } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { switchFlag } from '../../command-line/flags.ts';
import { databaseHelp, operateBouncer } from '../operate-bouncer.ts';
import { realmFlag } from './realm-flag.ts';
import { serverArgument } from './server-argument.ts';

export const deleteServers = defineCommand({
  description: `Deletes realms, devices, notifications that wait, and what became of others. The audit log keeps the ID of the server. A server that may register can do so again: ban it first if it shall not. The phones of a deleted server register again when their app finds that they get nothing.
Without --yes it prints what would be deleted.
${databaseHelp}`,
  flags: { ...realmFlag, yes: switchFlag('Delete it') },
  args: [serverArgument],
  async run({ realm, yes }, subject) {
    return operateBouncer(async (operator) => {
      if (!yes) {
        const { server, realms } = await showServer(operator.database.kysely, subject);
        const chosen = realms.filter(({ realm_uuid }) => realm_uuid === (realm ?? realm_uuid));
        const devices = chosen.reduce((sum, one) => sum + one.devices, 0);
        console.log(
          `${server.hostname} (${server.server_uuid}): realms ${chosen.length}, living devices ${devices}. Nothing was deleted: add --yes.`,
        );
        return 1;
      }
      if (realm === undefined)
        console.log(`The chat server ${await deleteServer(operator, subject)} is deleted.`);
      else {
        await deleteRealm(operator, subject, realm);
        console.log(`The realm ${realm} is deleted.`);
      }
      return 0;
    });
  },
});
