import type { EventOf, InitialState, Message, MessageFlag, UserId } from '@bellhop/protocol';

import { mapChannels } from './channel-lists.ts';
import { changed, type Reader } from './state.ts';

type Unread = NonNullable<InitialState['unread_msgs']>;

/** A message moves the newest ID, the unread messages and the recent direct conversations. */
export function applyMessage(
  state: InitialState,
  { message, flags }: EventOf<'message'>,
  { user_id: self }: Reader,
): InitialState {
  let next = changed(state, 'max_message_id', (id) => (id > message.id ? id : message.id));
  if (!flags.includes('read'))
    next = changed(next, 'unread_msgs', (unread) =>
      withMention(withUnread(unread, message, self), message, flags),
    );
  if (message.stream_id !== undefined)
    return mapChannels(next, message.stream_id, (channel) =>
      channel.first_message_id === null ? { ...channel, first_message_id: message.id } : channel,
    );
  const user_ids = participants(message).filter((id) => id !== self);
  const conversation = user_ids.join();
  return changed(next, 'recent_private_conversations', (recent) => [
    { user_ids, max_message_id: message.id },
    ...recent.filter((other) => other.user_ids.join() !== conversation),
  ]);
}

const participants = ({ display_recipient }: Message): UserId[] =>
  typeof display_recipient === 'string'
    ? []
    : display_recipient.map(({ id }) => id).sort((a, b) => a - b);

function withUnread(unread: Unread, message: Message, self: UserId): Unread {
  const counted = { ...unread, count: unread.count + 1 };
  const people = participants(message);
  if (message.stream_id !== undefined) {
    const fresh = { stream_id: message.stream_id, topic: message.subject };
    return { ...counted, streams: withId(unread.streams, fresh, message) };
  }
  if (people.length > 2) {
    const fresh = { user_ids_string: people.join() };
    return { ...counted, huddles: withId(unread.huddles, fresh, message) };
  }
  const other_user_id = people.find((id) => id !== self) ?? self;
  const fresh = { other_user_id, sender_id: other_user_id };
  return { ...counted, pms: withId(unread.pms, fresh, message) };
}

/** Adds the message to its conversation's row; rows stay in order, topics compare without case. */
function withId<Row extends object>(
  rows: readonly (Row & Pick<Unread['pms'][number], 'unread_message_ids'>)[],
  row: Row,
  { id }: Message,
) {
  const key = keyOf(row);
  const found = rows.find((other) => keyOf(other) === key);
  const { unread_message_ids = [] } = found ?? {};
  const next = { ...(found ?? row), unread_message_ids: [...unread_message_ids, id] };
  return [...rows.filter((other) => other !== found), next].sort((a, b) =>
    inOrder.compare(keyOf(a), keyOf(b)),
  );
}

const inOrder = new Intl.Collator('en', { numeric: true });

function keyOf(row: object): string {
  if ('stream_id' in row && 'topic' in row)
    return `${String(row.stream_id)} ${String(row.topic).toLowerCase()}`;
  return String('other_user_id' in row ? row.other_user_id : Object.values(row)[0]);
}

const mentions: ReadonlySet<MessageFlag> = new Set([
  'mentioned',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
]);
const withMention = (unread: Unread, { id }: Message, flags: readonly MessageFlag[]): Unread =>
  flags.some((flag) => mentions.has(flag))
    ? { ...unread, mentions: [...unread.mentions, id] }
    : unread;
