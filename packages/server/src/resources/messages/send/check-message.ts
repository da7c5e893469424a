import type { UserId } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import { printableTopic, requireAllowedTopic } from '../check-topic.ts';
import type { Destination, SendRequest } from '../message.ts';
import * as queries from '../queries.ts';
import { type RenderedContent, renderContent } from '../render-content.ts';
import { requireCanMentionWildcard } from './access.ts';

/** A message that may be sent, as it would be stored now. */
interface CheckedMessage {
  /** Empty for direct messages. */
  readonly topic: string;
  readonly content: RenderedContent;
  readonly recipients: readonly UserId[];
  /** The participants of the topic, if the content mentions them all. */
  readonly participants: readonly UserId[];
}

/** Checks and renders a message. Throws an ApiError if the message is not acceptable. */
export async function checkMessage(db: Db, request: SendRequest): Promise<CheckedMessage> {
  const { realm, sender, to, resolves } = request;
  const channel = 'channel' in to ? to.channel : undefined;
  const topic = 'channel' in to ? printableTopic(to.topic) : '';
  if (channel) requireAllowedTopic(realm, channel, topic);
  const in_channel = channel !== undefined;
  const content =
    request.rendered ??
    (await renderContent(db, { realm, sender, content: request.content, in_channel, resolves }));
  const recipients = recipientsOf(to);
  const participants =
    channel && content.topic_wildcard
      ? await queries.topicParticipants(db, realm.id, { channel_id: channel.id, topic })
      : [];
  await requireCanMentionWildcard(db, request, content, {
    subscribers: channel ? recipients.length : 0,
    participants: participants.length,
  });
  return { topic, content, recipients, participants };
}

const recipientsOf = (to: Destination): readonly UserId[] =>
  'channel' in to ? to.channel.subscriber_ids : to.participants.map(({ id }) => id);
