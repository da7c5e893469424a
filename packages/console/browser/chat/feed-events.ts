import {
  type FetchedMessage,
  foldCase,
  type Message,
  type MessageFlag,
  type QueuedEvent,
} from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';
import { narrowOf } from './narrow-of.ts';
import type { View } from './view.ts';

type Messages = readonly FetchedMessage[];

/** The messages after an event; the same list if it changes none of them. */
export function appliedToMessages(messages: Messages, event: QueuedEvent): Messages {
  switch (event.type) {
    case 'update_message':
      return edited(messages, event);
    case 'delete_message': {
      const gone = new Set<number>('message_ids' in event ? event.message_ids : [event.message_id]);
      return messages.some(({ id }) => gone.has(id))
        ? messages.filter(({ id }) => !gone.has(id))
        : messages;
    }
    case 'update_message_flags': {
      const ids = new Set<number>(event.messages);
      const flag = event.flag as MessageFlag;
      return changed(messages, ids, (message) => withFlag(message, flag, event.op === 'add'));
    }
    case 'reaction':
      return changed(messages, new Set([event.message_id]), (message) => ({
        ...message,
        reactions: withReaction(message, event),
      }));
    case 'submessage':
      return changed(messages, new Set([event.message_id]), (message) => ({
        ...message,
        submessages: message.submessages.some(({ id }) => id === event.submessage_id)
          ? message.submessages
          : [...message.submessages, { ...event, id: event.submessage_id }],
      }));
    default:
      return messages;
  }
}

function changed(
  messages: Messages,
  ids: ReadonlySet<number>,
  change: (message: FetchedMessage) => FetchedMessage,
): Messages {
  if (!messages.some(({ id }) => ids.has(id))) return messages;
  return messages.map((message) => (ids.has(message.id) ? change(message) : message));
}

function withFlag(message: FetchedMessage, flag: MessageFlag, isAdded: boolean): FetchedMessage {
  const others = message.flags.filter((one) => one !== flag);
  return { ...message, flags: isAdded ? [...others, flag] : others };
}

type Of<T extends QueuedEvent['type']> = Extract<QueuedEvent, { type: T }>;

function withReaction({ reactions }: FetchedMessage, event: Of<'reaction'>) {
  const { emoji_name, emoji_code, reaction_type, user_id } = event;
  const others = reactions.filter(
    (one) =>
      one.user_id !== user_id ||
      one.emoji_code !== emoji_code ||
      one.reaction_type !== reaction_type,
  );
  return event.op === 'remove'
    ? others
    : [...others, { emoji_name, emoji_code, reaction_type, user_id }];
}

function edited(messages: Messages, event: Of<'update_message'>): Messages {
  const withContent = changed(messages, new Set([event.message_id]), (message) => ({
    ...message,
    flags: event.flags,
    ...(event.rendered_content === undefined ? {} : { content: event.rendered_content }),
    ...(event.is_me_message === undefined ? {} : { is_me_message: event.is_me_message }),
    ...(event.rendering_only || event.content === undefined
      ? {}
      : // Only a form has a widget that can be edited, and that ends it.
        { last_edit_timestamp: event.edit_timestamp, submessages: [] }),
  }));
  const { subject, new_stream_id } = event;
  if (subject === undefined && new_stream_id === undefined) return withContent;
  return changed(withContent, new Set(event.message_ids), (message) => ({
    ...message,
    ...(subject === undefined ? {} : { subject }),
    ...(new_stream_id === undefined ? {} : { stream_id: new_stream_id }),
    ...(event.topic_links ? { topic_links: event.topic_links } : {}),
    last_moved_timestamp: event.edit_timestamp,
  }));
}

/** Whether a message is in the channel or the topic of a view; undefined for views of another kind. */
export function isInPlace(view: View, place: Pick<Message, 'stream_id' | 'subject'>) {
  if (view.kind === 'channel') return place.stream_id === view.channel;
  if (view.kind !== 'topic') return undefined;
  return place.stream_id === view.channel && foldCase(place.subject) === foldCase(view.topic);
}

/** Where an event moves messages; undefined if it moves none. */
export function placeOfMove(
  event: QueuedEvent,
): Pick<Message, 'stream_id' | 'subject'> | undefined {
  if (event.type !== 'update_message') return undefined;
  const { subject, orig_subject = '', stream_id, new_stream_id } = event;
  if (subject === undefined && new_stream_id === undefined) return undefined;
  return { stream_id: new_stream_id ?? stream_id, subject: subject ?? orig_subject };
}

/** Whether a new message belongs to a view. Asks the server where only that can know. */
export async function belongsTo(
  view: View,
  message: Message,
  { client, user_id }: Pick<LiveAccount, 'client' | 'user_id'>,
): Promise<boolean> {
  switch (view.kind) {
    case 'all':
      return true;
    case 'channel':
    case 'topic':
      return isInPlace(view, message) === true;
    case 'direct':
      return message.type === 'private' && conversationOf(message, user_id) === keyOf(view.users);
    default: {
      const { messages } = await client.messages.matchesNarrow({
        msg_ids: [message.id],
        narrow: narrowOf(view),
      });
      return String(message.id) in messages;
    }
  }
}

const keyOf = (users: readonly number[]) => users.toSorted((a, b) => a - b).join(',');

/** The other participants of a direct message, as in the path of its view. */
export function conversationOf({ display_recipient }: Message, self: number): string {
  if (typeof display_recipient === 'string') return '';
  const others = display_recipient.map(({ id }) => id as number).filter((id) => id !== self);
  return keyOf(others.length > 0 ? others : [self]);
}
