import {
  badRequest,
  cutText,
  fencedText,
  MAX_TOPIC_LENGTH,
  narrowUrl,
  reportTypes,
} from '@bellhop/protocol';

import type { Handlers } from '../../../engine/resource.ts';
import { topicMarkdown } from '../../../markdown/channel-markdown.ts';
import { postableChannel } from '../../../model/channels/postable-channel.ts';
import { allReadable, fetchPage, type ReadRow } from '../../../model/messages/fetch/fetch-page.ts';
import { moderationRequests } from '../../../model/realms/realm-settings.ts';
import * as users from '../../../model/users/queries.ts';
import { sendMessage } from '../send/send-message.ts';

/**
 * The part of the reported message that is quoted: the report must not exceed the length of a
 * message.
 */
const MAX_QUOTED_LENGTH = 8000;

/** The texts of others are quoted as code: they can neither mention anybody nor load an image. */
export const reportMessage: Handlers<'messages'>['report'] = async (call) => {
  const { db, realm, user, actor, params } = call;
  const notes = params.description?.trim() ?? '';
  const [row] = await fetchPage(call, allReadable, { ids: [params.message_id] });
  if (!row) throw badRequest('Invalid message(s)');
  if (params.report_type === 'other' && notes === '')
    throw badRequest('An explanation is required.');
  const bot = await users.systemBot(db, realm.id, 'notification-bot');
  const id = moderationRequests(realm);
  const channel = id === undefined ? undefined : await postableChannel(db, bot, { id });
  if (!channel || channel.is_archived)
    throw badRequest('This organization has no moderation channel for reports.');
  const reported = await users.byId(db, realm.id, row.sender_id);
  if (!reported) throw new Error('The sender of a message is not in its realm');
  const shown = cutText(row.content, MAX_QUOTED_LENGTH);
  const content = [
    `${mention(user)} reported a message sent by ${mention(reported)} ${placeOf(row)}.`,
    `- Reason: **${reportTypes[params.report_type]}**`,
    ...(notes === '' ? [] : [`- Notes:\n\n${fencedText(notes, 'text')}`]),
    `- Message:\n\n${fencedText(shown, 'text')}`,
  ].join('\n');
  await sendMessage(call, {
    realm,
    sender: bot,
    client: 'Internal',
    now: actor.now,
    to: {
      channel,
      topic: channel.topics_policy === 'empty_topic_only' ? '' : reportTopic(reported.full_name),
    },
    content,
    resolves: { users: [user, reported], channels: channelsOf(row) },
    read_by_sender: true,
    read_by: [user.id],
  });
  return {};
};

const mention = ({ full_name, id }: { full_name: string; id: number }) =>
  `@_**${full_name}|${id}**`;

/** A long name is cut, not the rest of the topic. */
function reportTopic(full_name: string): string {
  const rest = "'s moderation requests";
  return cutText(full_name, MAX_TOPIC_LENGTH - rest.length) + rest;
}

const channelsOf = ({ channel_id, channel_name }: ReadRow) =>
  channel_id === null || channel_name === null ? [] : [{ id: channel_id, name: channel_name }];

/** The conversation of the message, with a link to it. */
function placeOf(row: ReadRow): string {
  const [channel] = channelsOf(row);
  if (channel)
    return `in ${topicMarkdown(channel, row.topic)} ([message](${narrowUrl(channel, row.topic, row.id)}))`;
  return (row.user_ids ?? []).length > 2 ? 'in a group direct message' : 'in a direct message';
}
