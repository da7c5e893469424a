import type { ReplySender } from '../deliveries/reply-sender.ts';
import { calling } from './api-failure.ts';
import type { Place } from './place.ts';
import type { Rest } from './rest.ts';

/** How many messages of the bot `hasSent` looks through. */
const LOOKED_THROUGH = 100;

/** Sends replies by REST, and looks whether they have arrived. */
export function restReplySender(rest: Rest, botEmail: string): ReplySender {
  return {
    send: async (place, reply) => void (await rest.post(place, reply)),
    hasSent: (place, after, content) =>
      calling('look for a reply', async () => {
        const { messages } = await rest.client.messages.fetch({
          anchor: after,
          include_anchor: false,
          num_before: 0,
          num_after: LOOKED_THROUGH,
          apply_markdown: false,
          narrow: [...inPlace(place), { operator: 'sender', operand: botEmail }],
        });
        // The server takes white space off the ends of a message.
        return messages.some((message) => message.content.trim() === content.trim());
      }),
  };
}

function inPlace(place: Place) {
  return place.type === 'channel'
    ? [
        { operator: 'channel', operand: place.channel_id },
        { operator: 'topic', operand: place.topic },
      ]
    : [{ operator: 'dm', operand: [...place.user_ids] }];
}
