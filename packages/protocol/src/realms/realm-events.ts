import { z } from 'zod';

const update = { type: z.literal('realm'), op: z.literal('update') };

/** A property of the realm changed: `realm_<property>` in the initial state. */
export const RealmEvent = z.discriminatedUnion('property', [
  z.object({ ...update, property: z.literal('push_notifications_enabled'), value: z.boolean() }),
  z.object({
    ...update,
    property: z.literal('push_notifications_enabled_end_timestamp'),
    /** UNIX time in seconds. */
    value: z.int().nullable(),
  }),
]);
