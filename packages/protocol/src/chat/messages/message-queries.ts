import { z } from 'zod';

import { Html, Markdown } from '../../values/fields.ts';
import { MessageId, UserId } from '../../values/ids.ts';
import { MAX_CONTENT_LENGTH } from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { MAX_FETCHED } from './anchor.ts';
import { Narrow } from './narrow.ts';
import { AllowEmptyTopicName } from './topic.ts';

export const messageQueries = {
  matchesNarrow: endpoint('GET /messages/matches_narrow', {
    summary: 'Find out which messages match a narrow',
    description:
      'Returns those of the messages that you may read and that match, with the matches of a search highlighted.',
    access: 'user',
    paramsSince: { allow_empty_topic_name: 334 },
    params: {
      msg_ids: z.array(MessageId).max(MAX_FETCHED),
      narrow: Narrow.nullable().default([]),
      allow_empty_topic_name: AllowEmptyTopicName,
    },
    result: {
      messages: z
        .record(z.string(), z.object({ match_content: z.string(), match_subject: z.string() }))
        .meta({ description: 'By message ID: content and topic as HTML' }),
    },
    errors: ['BAD_NARROW'],
  }),

  render: endpoint('POST /messages/render', {
    summary: 'Render Markdown as a message',
    description: 'The content is rendered as if you had sent it. Nothing is sent.',
    access: 'user',
    params: { content: Markdown.max(MAX_CONTENT_LENGTH) },
    result: { rendered: Html.meta({ description: 'HTML' }) },
  }),

  readReceipts: endpoint('GET /messages/{message_id}/read_receipts', {
    summary: 'Get the users who have read a message',
    description:
      'Without the sender, users who switched send_read_receipts off, users you have muted and users who have muted you. The organization may switch read receipts off for everybody.',
    since: 137,
    access: 'user',
    params: { message_id: MessageId },
    result: { user_ids: z.array(UserId) },
  }),
};
