import { job } from '@bellhop/jobs';
import { z } from 'zod';

import type { App } from '../../engine/app.ts';
import { forgetMailCounts } from '../../mail/count-mails.ts';
import * as realms from '../realms/queries.ts';
import * as queries from './queries.ts';

/** For this time the page of an expired invitation shows that it has expired. */
const KEPT_SECONDS = 30 * 86_400;

/** Removes invitations that expired long ago, and the counts of mails of earlier days. */
export const sweepInvites = job<object, App>({
  name: 'sweep_invites',
  payload: z.object({}),
  retry: [60, 600],
  everySeconds: 3600,
  timeoutMs: 600_000,
  async run(_payload, app) {
    const now = app.now();
    for (const id of await realms.ids(app.db.kysely))
      await app.change({ id }, async ({ db }) => {
        await queries.removeExpired(db, id, now - KEPT_SECONDS);
        await forgetMailCounts(db, id, now);
      });
  },
});
