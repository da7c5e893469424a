import { z } from 'zod';

import { Markdown } from '../values/fields.ts';
import type { WebhookDefinition } from '../wire/webhook-operation.ts';
import { SlackWebhookPayload, WebhookPayload, WebhookResponse } from './outgoing-webhook.ts';

const text = (description: string) => z.string().meta({ description });

const SignatureHeaders = z.object({
  'webhook-id': text('The id of the delivery, the same in all its attempts'),
  'webhook-timestamp': text('The time of the attempt in UNIX seconds'),
  'webhook-signature': text(
    '`v1,` and the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`; the key is the token',
  ),
  'webhook-attempt': text('Counts the attempts of the delivery from 1'),
});

const sender = {
  sender_id: 8,
  sender_email: 'user8@chat.example.com',
  sender_full_name: 'Hamlet',
};
const content = '@**Echo Bot** to be, or not to be';

/** The requests to outgoing webhook bots (spec, Outgoing webhook payload). */
export const outgoingWebhooks: Readonly<Record<string, WebhookDefinition>> = {
  'outgoing-webhook': {
    summary: 'A message for a bot with the generic interface (service_interface 1)',
    description:
      'Sent when a person sends the bot a direct message or mentions it in a channel. Compare `token` with the token of the bot, or verify the signature. A delivery may come more than once, with the same `webhook-id`.',
    contentType: 'application/json',
    headers: SignatureHeaders,
    payload: WebhookPayload,
    example: {
      bot_email: 'echo-bot@chat.example.com',
      bot_full_name: 'Echo Bot',
      data: content,
      trigger: 'mention',
      token: 'Wm3cX0KQpT6uR9vY1bN4dF7gH2jL5sA8',
      message: {
        id: 42,
        type: 'stream',
        ...sender,
        sender_realm_str: '',
        avatar_url: null,
        client: 'website',
        display_recipient: 'stage',
        stream_id: 3,
        recipient_id: 11,
        subject: 'soliloquy',
        topic_links: [],
        timestamp: 1_790_000_000,
        is_me_message: false,
        reactions: [],
        submessages: [],
        flags: [],
        content,
        content_type: 'text/x-markdown',
        rendered_content: '<p>to be, or not to be</p>',
      },
    },
    response: WebhookResponse,
    responses: {
      reply: { summary: 'The bot replies in the same conversation', value: { content: 'to be' } },
      silence: { summary: 'The bot does not reply', value: { response_not_required: true } },
      widget: {
        summary: 'The bot replies with a widget',
        value: {
          content: '/poll Lunch?',
          widget_content:
            '{"widget_type":"poll","extra_data":{"question":"Lunch?","options":["yes","no"]}}',
        },
      },
    },
  },

  'slack-compatible-outgoing-webhook': {
    summary:
      'A channel message for a bot with the Slack-compatible interface (service_interface 2)',
    description:
      'Sent when a person mentions the bot in a channel. For a direct message nothing is sent: the bot answers there that the interface has none.',
    contentType: 'application/x-www-form-urlencoded',
    headers: SignatureHeaders,
    payload: SlackWebhookPayload,
    example: {
      token: 'Wm3cX0KQpT6uR9vY1bN4dF7gH2jL5sA8',
      team_id: 'T1',
      team_domain: 'chat.example.com',
      channel_id: 'C3',
      channel_name: 'stage',
      thread_ts: '1790000000',
      timestamp: '1790000000',
      user_id: 'U8',
      user_name: 'Hamlet',
      text: content,
      trigger_word: 'mention',
      service_id: '12',
    },
    response: z.object({
      text: Markdown.optional().meta({ description: 'The reply; none if missing or blank' }),
    }),
    responses: {
      reply: { summary: 'The bot replies in the same topic', value: { text: 'to be' } },
      silence: { summary: 'The bot does not reply', value: {} },
    },
  },
};
