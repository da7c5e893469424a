import { z } from 'zod';

const update = { type: z.literal('realm'), op: z.literal('update') };

/** A property of the realm has another value: `realm_<property>` of the initial state. */
export const RealmEvent = z.discriminatedUnion('property', [
  z.object({ ...update, property: z.literal('push_notifications_enabled'), value: z.boolean() }),
  z.object({
    ...update,
    property: z.literal('push_notifications_enabled_end_timestamp'),
    /** Seconds since 1970. */
    value: z.int().nullable(),
  }),
]);
