import { z } from 'zod';

import { Timestamp } from '../values/fields.ts';

/** Whether a realm may push, and until when (UNIX seconds); null: no end is expected. */
export const RealmPushStatus = z.object({
  can_push: z.boolean().meta({ example: true }),
  expected_end_timestamp: Timestamp.nullable(),
});
export type RealmPushStatus = z.output<typeof RealmPushStatus>;
