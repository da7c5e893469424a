import { z } from 'zod';

import { Destination } from './destination.ts';

/** A message that is being sent, or could not be sent. */
export const Unsent = z
  .object({
    /** Comes back with the event of the message. */
    local_id: z.string(),
    to: Destination,
    content: z.string(),
    /** UNIX time in seconds. */
    timestamp: z.number(),
    /** Why it was not sent; undefined while it is being sent. */
    reason: z.string().optional(),
    /** Set while the server may have stored the message: the ID of a message that was there before. */
    after: z.int().optional(),
    /** The ID that the server answered. The event is still missing. */
    id: z.int().optional(),
  })
  .readonly();
export type Unsent = z.output<typeof Unsent>;
