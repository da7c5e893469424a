import { z } from 'zod';

import { endpoint } from '../wire/endpoint.ts';
import { resource } from '../wire/resource.ts';
import { MessageChangeKind } from './outgoing-webhook.ts';

const changes = z.array(MessageChangeKind);

const endpoints = {
  list: endpoint('GET /bot_changes', {
    summary: 'Get which changes of messages your bot receives',
    description: 'An extension of the protocol.',
    access: 'bot',
    result: { changes },
  }),

  update: endpoint('PATCH /bot_changes', {
    summary: 'Choose which changes of messages your bot receives',
    description:
      'An extension of the protocol; by default a bot receives none. The outgoing webhook of the bot gets what people do to the messages of the bot, to the direct messages with it and in the topics it is subscribed to: reactions, edits of the content and deletions of single messages. The payload has the trigger `reaction`, `edit` or `delete`, and what happened in `change`; `message` is the message as it is then, without content if it is deleted. Nothing is delivered to a bot with the Slack-compatible form. The reply is posted only if the bot may post in the channel. The list replaces the earlier one.',
    access: 'bot',
    params: { changes: changes.max(MessageChangeKind.options.length) },
  }),
};

export const botChanges = resource({ endpoints });
