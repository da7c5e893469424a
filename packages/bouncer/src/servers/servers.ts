import type { Bouncer } from '@bellhop/protocol';

import type { HandlersOf } from '../app.ts';
import { announce } from './announce.ts';
import { register } from './register.ts';
import { transfer, verifyChallenge } from './transfer.ts';

/** Registers chat servers and stores the realms that they announce. */
export const servers: HandlersOf<Bouncer['servers']> = {
  register,
  transfer,
  verifyChallenge,

  async deactivate({ server, app }) {
    await app.database.kysely
      .updateTable('remote_server')
      .set({ deactivated: true })
      .where('server_uuid', '=', server.server_uuid)
      .execute();
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
