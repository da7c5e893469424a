import type { Client } from '@bellhop/client';

import { narrowOf } from '../narrow-of.ts';
import { viewOfDestination } from './destination.ts';
import type { Unsent } from './unsent.ts';

const LOOKED_AT = 50;

/** Whether the server has stored a message to whose sending it gave no answer. */
export async function isStored(
  client: Client,
  sender: number,
  { to, content, after = -1 }: Unsent,
): Promise<boolean> {
  const { messages } = await client.messages.fetch({
    anchor: 'newest',
    num_before: LOOKED_AT,
    narrow: [
      ...narrowOf(viewOfDestination(to)),
      { operator: 'sender', operand: sender, negated: false },
    ],
    apply_markdown: false,
    allow_empty_topic_name: true,
  });
  return messages.some((message) => message.id > after && message.content === content);
}
