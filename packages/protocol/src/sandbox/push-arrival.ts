import { z } from 'zod';

import { PushPayload } from '../push/push.ts';

/** A notification on a phone that reports its arrivals, such as a simulated one. */
export const PushArrival = z
  .object({
    phone: z.string(),
    seq: z.int().meta({ description: 'Counts up per phone, from 1' }),
    received_at: z.iso.datetime(),
    size: z.int().meta({ description: 'Bytes that the provider delivered to the app' }),
    priority: z.union([z.string(), z.number()]),
    payload: PushPayload.optional().meta({
      description: 'What the phone decrypted; absent if it cannot use the notification',
    }),
    refused: z.string().optional().meta({ description: 'Why the phone cannot use it' }),
  })
  .meta({ id: 'PushArrival' });
export type PushArrival = z.output<typeof PushArrival>;
