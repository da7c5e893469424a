import { everyRealm } from '../../../every-realm.ts';
import { foldRows } from '../../../model/messages/read/fold-rows.ts';

/** How long one run works on a realm; the next run goes on. */
const MAX_SECONDS = 30;

/**
 * After an upgrade or an import: brings who received old messages into the form in which only exceptions have
 * rows. Nobody waits for it: both forms say the same.
 */
export const foldOldRows = everyRealm({
  name: 'fold_old_rows',
  everySeconds: 60,
  async run(app, realm) {
    const until = app.now() + MAX_SECONDS;
    let total = 0;
    for (let removed: number | undefined = 0; removed !== undefined && app.now() < until;) {
      removed = await app.change({ id: realm }, ({ db }) => foldRows(db, realm));
      total += removed ?? 0;
    }
    if (total > 0)
      app.log.info({ realm_id: realm, rows: total }, 'folded rows of received messages');
  },
});
