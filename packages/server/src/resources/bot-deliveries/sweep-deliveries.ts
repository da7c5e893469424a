import type { Config } from '../../config.ts';
import { everyRealm } from '../../every-realm.ts';
import { removeOld } from '../../model/bot-deliveries/delivery-rows.ts';

const DAY = 86_400;

/** Removes old deliveries, and the deliveries of each bot beyond its newest. */
export const sweepDeliveries = ({ deliveryDays, deliveriesPerBot }: Config) =>
  everyRealm({
    name: 'sweep_deliveries',
    everySeconds: 600,
    async run(app, id) {
      const kept = { since: app.now() - deliveryDays * DAY, most: deliveriesPerBot };
      while (await app.change({ id }, ({ db }) => removeOld(db, id, kept)));
    },
  });
