import { job } from '@bellhop/jobs';
import { z } from 'zod';

import type { Config } from '../../config.ts';
import type { App } from '../../engine/app.ts';
import * as realms from '../realms/queries.ts';
import { removeOld } from './delivery-rows.ts';

const DAY = 86_400;

/** Removes old deliveries, and the deliveries of each bot beyond its newest. */
export const sweepDeliveries = ({ deliveryDays, deliveriesPerBot }: Config) =>
  job<object, App>({
    name: 'sweep_deliveries',
    payload: z.object({}),
    retry: [60, 600],
    everySeconds: 600,
    timeoutMs: 600_000,
    async run(_payload, app) {
      const kept = { since: app.now() - deliveryDays * DAY, most: deliveriesPerBot };
      for (const id of await realms.ids(app.db.kysely))
        while (await app.change({ id }, ({ db }) => removeOld(db, id, kept)));
    },
  });
