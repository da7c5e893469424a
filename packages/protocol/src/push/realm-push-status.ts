import { z } from 'zod';

/** Whether a realm may push, and until when (UNIX seconds); null: no end is expected. */
export const RealmPushStatus = z.object({
  can_push: z.boolean(),
  expected_end_timestamp: z.int().nullable(),
});
export type RealmPushStatus = z.output<typeof RealmPushStatus>;
