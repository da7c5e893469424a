import { job } from '@bellhop/jobs';
import { MAX_PUSH_TRACES, PUSH_TRACE_LIFETIME } from '@bellhop/protocol';
import { z } from 'zod';

import type { App } from '../../../engine/app.ts';
import * as realms from '../../realms/queries.ts';
import { removeOld } from './trace-rows.ts';

/** Deletes traces of pushes that are too old or too many, every hour. */
export const sweepTraces = job<object, App>({
  name: 'sweep_push_traces',
  payload: z.object({}),
  retry: [60, 600],
  everySeconds: 3600,
  timeoutMs: 600_000,
  async run(_payload, app) {
    const limits = { seconds: PUSH_TRACE_LIFETIME, perUser: MAX_PUSH_TRACES };
    for (const id of await realms.ids(app.db.kysely))
      await app.change({ id }, ({ db }) => removeOld(db, id, limits));
  },
});
