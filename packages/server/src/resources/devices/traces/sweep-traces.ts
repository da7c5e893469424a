import { MAX_PUSH_TRACES, PUSH_TRACE_LIFETIME } from '@bellhop/protocol';

import { everyRealm } from '../../../every-realm.ts';
import { removeOld } from '../../../model/devices/traces/trace-rows.ts';

const limits = { seconds: PUSH_TRACE_LIFETIME, perUser: MAX_PUSH_TRACES };

/** Deletes traces of pushes that are too old or too many, every hour. */
export const sweepTraces = everyRealm({
  name: 'sweep_push_traces',
  run: (app, id) => app.change({ id }, ({ db }) => removeOld(db, id, limits)),
});
