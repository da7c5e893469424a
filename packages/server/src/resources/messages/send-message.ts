import {
  badRequest,
  EMPTY_TOPIC_DISPLAY_NAME,
  MAX_TOPIC_LENGTH,
  type MessageId,
  type RecipientId,
  type UserId,
} from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { EVERYONE_LISTENING } from '../../engine/event-log.ts';
import { triggerWebhooks } from '../bots/trigger-webhooks.ts';
import type { PostableChannel } from '../channels/queries.ts';
import * as channels from '../channels/queries.ts';
import { requireCanMentionAll, requireCanWriteTo } from './access.ts';
import { flagBits, flagNames } from './flags.ts';
import * as queries from './queries.ts';
import { checkContent, type RenderedContent, renderContent } from './render-content.ts';
import { type StoredMessage, storedMessage } from './stored-message.ts';

/** Where a message goes; who may post there has been asked before. */
export type Destination =
  | { readonly channel: PostableChannel; readonly topic: string }
  | { readonly participants: readonly User[] };

export interface Draft {
  readonly realm: Realm;
  readonly sender: User;
  readonly client: string;
  readonly now: number;
  readonly to: Destination;
  readonly content: string;
  /** From `queries.nextId`, where it was asked for along with something else. */
  readonly id?: MessageId;
  readonly read_by_sender: boolean;
  /** Somebody else who knows it already: it tells what they did. */
  readonly read_by?: UserId;
  /** The queue that is told this message is the one it sent. */
  readonly echo?: { readonly queue_id: string; readonly local_id: string };
}

/** A message that was sent, and whom it concerns. */
export interface Sent {
  readonly message: StoredMessage;
  readonly mentioned: RenderedContent;
  readonly recipients: readonly UserId[];
}

interface Place {
  readonly recipient_id: RecipientId;
  readonly recipients: readonly UserId[];
  readonly shown: string | readonly User[];
}

/** Stores a message, gives it to everybody it is for, and tells their queues and the bots' webhooks. */
export async function sendMessage(change: Change<'message'>, draft: Draft): Promise<Sent> {
  const { realm, sender, to } = draft;
  const { db } = change;
  const content = checkContent(draft.content);
  const in_channel = 'channel' in to;
  const topic = in_channel ? checkTopic(to.topic, to.channel, realm) : '';
  const mentioned = await renderContent(db, { realm, sender, content, in_channel });
  const place = await placeOf(change, draft);
  const participants =
    in_channel && mentioned.topic_wildcard
      ? await queries.topicParticipants(db, to.channel.id, topic)
      : [];
  await requireCanMentionAll(db, draft, mentioned, {
    subscribers: in_channel ? place.recipients.length : 0,
    participants: participants.length,
  });
  const id = draft.id ?? (await queries.nextId(db));
  const row = {
    id,
    realm_id: realm.id,
    sender_id: sender.id,
    recipient_id: place.recipient_id,
    channel_id: in_channel ? to.channel.id : null,
    topic,
    content,
    rendered_content: mentioned.html,
    sent_at: draft.now,
    client: draft.client,
    is_me_message: mentioned.is_me_message,
    has_link: mentioned.has_link,
    has_image: mentioned.has_image,
    has_attachment: mentioned.has_attachment,
  };
  const flags = flagsOf(draft, place.recipients, { mentioned, participants });
  queries.insert(db, row, { users: place.recipients, flags });
  if (in_channel && to.channel.first_message_id === null)
    await channels.setFirstMessage(db, to.channel.id, id);
  const whole = { ...row, edit_history: null, last_edited_at: null, last_moved_at: null };
  const message = storedMessage(whole, { realm, sender, place: place.shown });
  tell(change, draft, { message, recipients: place.recipients, flags });
  await triggerWebhooks(change, {
    id,
    sender,
    recipients: place.recipients,
    ...mentioned,
    participants: in_channel ? null : to.participants,
  });
  return { message, mentioned, recipients: place.recipients };
}

async function placeOf({ db }: Change<'message'>, { realm, sender, to }: Draft): Promise<Place> {
  if ('channel' in to) {
    const { recipient_id, subscriber_ids, name } = to.channel;
    return { recipient_id, recipients: subscriber_ids, shown: name };
  }
  const { participants } = to;
  const ids = participants.map(({ id }) => id);
  const { id, is_new } = await queries.conversation(db, realm.id, ids);
  await requireCanWriteTo(db, { realm, sender }, { participants, is_new });
  return { recipient_id: id, recipients: ids, shown: participants };
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** Throws BAD_REQUEST for a topic the channel does not take; cuts one that is too long. */
function checkTopic(topic: string, channel: PostableChannel, realm: Realm): string {
  const characters = Array.from(topic);
  const bad = characters.findIndex((character) => UNPRINTABLE.test(character));
  if (bad !== -1) throw badRequest(`Invalid character in topic, at position ${bad + 1}!`);
  const policy =
    channel.topics_policy === 'inherit'
      ? (realm.settings['topics_policy'] ?? 'allow_empty_topic')
      : channel.topics_policy;
  const data = { empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME };
  if (topic === '' && policy === 'disable_empty_topic')
    throw badRequest('Sending messages to the general chat is not allowed in this channel.', data);
  if (topic !== '' && policy === 'empty_topic_only')
    throw badRequest('Only the general chat topic is allowed in this channel.', data);
  return characters.length <= MAX_TOPIC_LENGTH
    ? topic
    : `${characters.slice(0, MAX_TOPIC_LENGTH - 3).join('')}...`;
}

interface Concerned {
  readonly mentioned: RenderedContent;
  readonly participants: readonly UserId[];
}

function flagsOf(
  draft: Draft,
  recipients: readonly UserId[],
  { mentioned, participants }: Concerned,
): number[] {
  const direct = new Set(mentioned.mentioned_user_ids);
  const byGroup = new Set(mentioned.group_member_ids);
  const inTopic = new Set(participants);
  return recipients.map((id) => {
    let flags = 0;
    if (id === draft.read_by || (id === draft.sender.id && draft.read_by_sender))
      flags |= flagBits.read;
    if (direct.has(id)) flags |= flagBits.mentioned;
    if (byGroup.has(id)) flags |= flagBits.group_mentioned;
    if (mentioned.channel_wildcard) flags |= flagBits.stream_wildcard_mentioned;
    if (mentioned.topic_wildcard && inTopic.has(id)) flags |= flagBits.topic_wildcard_mentioned;
    return flags;
  });
}

interface Delivery {
  readonly message: StoredMessage;
  readonly recipients: readonly UserId[];
  readonly flags: readonly number[];
}

function tell(
  change: Change<'message'>,
  { to, echo }: Draft,
  { message, recipients, flags }: Delivery,
): void {
  const users: Record<number, object> = {};
  for (const [at, id] of recipients.entries()) {
    const names = flagNames(flags[at] ?? 0);
    if (names.length > 0) users[id] = { flags: names };
  }
  const queues = echo ? { [echo.queue_id]: { local_message_id: echo.local_id } } : undefined;
  const isPublic = 'channel' in to && !to.channel.invite_only;
  change.emit(
    { type: 'message', message },
    isPublic ? [...recipients, EVERYONE_LISTENING] : recipients,
    { users, ...(queues ? { queues } : {}) },
  );
}
