import { z } from 'zod';

import { Message, MessageFlag } from './message.ts';

/** A message arrived. `local_message_id` goes only to the queue that `POST /messages` named. */
export const MessageEvent = z.object({
  type: z.literal('message'),
  message: Message,
  flags: z.array(MessageFlag),
  local_message_id: z.string().optional(),
});
