import type { Bouncer } from '@bellhop/protocol/bouncer';

import type { HandlersOf } from '../app.ts';
import { recordAction } from '../audit/audit-log.ts';
import { setDeactivated } from '../servers/queries.ts';
import { announce } from './announce.ts';
import { register } from './register-server.ts';
import { transfer, verifyChallenge } from './transfer.ts';

/** Registers chat servers and stores the realms that they announce. */
export const servers: HandlersOf<Bouncer['servers']> = {
  register,
  transfer,
  verifyChallenge,

  async deactivate({ server, app }) {
    const { server_uuid: serverUuid } = server;
    await app.database.transaction(async (tx) => {
      await setDeactivated(tx, serverUuid, true);
      await recordAction(tx, { at: new Date(app.now()), action: 'server_deactivated', serverUuid });
    });
    return {};
  },

  analyticsStatus: ({ server }) =>
    Promise.resolve({
      last_realm_count_id: server.last_realm_count_id,
      last_installation_count_id: server.last_installation_count_id,
      last_realmauditlog_id: server.last_realmauditlog_id,
    }),

  announce,
};
