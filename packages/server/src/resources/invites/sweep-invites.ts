import { everyRealm } from '../../every-realm.ts';
import { forgetMailCounts } from '../../mail/count-mails.ts';
import * as queries from '../../model/invites/queries.ts';

/** For this time the page of an expired invitation shows that it has expired. */
const KEPT_SECONDS = 30 * 86_400;

/** Removes invitations that expired long ago, and the counts of mails of earlier days. */
export const sweepInvites = everyRealm({
  name: 'sweep_invites',
  run: (app, id) =>
    app.change({ id }, async ({ db }) => {
      const now = app.now();
      await queries.removeExpired(db, id, now - KEPT_SECONDS);
      await forgetMailCounts(db, id, now);
    }),
});
