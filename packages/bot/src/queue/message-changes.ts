import { hash } from 'node:crypto';

import type { Client } from '@bellhop/client/plain';
import type { EventOf, FetchedMessage, Message, MessageId, UserId } from '@bellhop/protocol';
import { ApiError } from '@bellhop/protocol/plain';

import { RecentEntries } from '../deliveries/recent-entries.ts';
import type { ChangeDelivery, ChangeTrigger, MessageChange, Person } from '../delivery.ts';
import { messageOf, receiverOf } from './message-delivery.ts';
import { untilAnswered, type WaitOptions } from './missed-messages.ts';

type ChangeEvent = EventOf<'reaction'> | EventOf<'update_message'> | EventOf<'delete_message'>;

const eventTypes = {
  reaction: 'reaction',
  edit: 'update_message',
  delete: 'delete_message',
} as const satisfies Record<ChangeTrigger, ChangeEvent['type']>;

/** The types of the events of these changes. */
export const changeEventTypes = (triggers: readonly ChangeTrigger[]): ChangeEvent['type'][] =>
  triggers.map((trigger) => eventTypes[trigger]);

/** How many messages are remembered, for their deletion, and reactions, to count their repeats. */
const REMEMBERED = { size: 5000, weight: Infinity };

interface MessageChangesOptions {
  readonly client: Client;
  /** The bot as it is now. */
  readonly bot: () => Person;
  readonly triggers: readonly ChangeTrigger[];
  /** Whether a topic is one that the bot is subscribed to. */
  readonly follows: (message: Message | FetchedMessage) => Promise<boolean>;
  readonly wait: WaitOptions;
}

/**
 * Makes deliveries of the reactions, edits and deletions of people, to messages of the bot, to
 * direct messages with it, and in the topics that it is subscribed to. Changes during a time
 * without a queue stay unknown.
 */
export function messageChanges(options: MessageChangesOptions) {
  const { client, bot, triggers, follows, wait } = options;
  const messages = new RecentEntries<Message | FetchedMessage>(REMEMBERED);
  const counts = new RecentEntries<number>(REMEMBERED);

  /** A message of the bot, a direct message, or one of a topic of the bot. */
  const concernsBot = async (message: Message | FetchedMessage): Promise<boolean> =>
    message.sender_id === bot().id || message.type === 'private' || follows(message);

  /** A message with its raw content and its HTML; undefined if it is gone or does not concern the bot. */
  async function fetched(message_id: MessageId) {
    try {
      const { raw_content, message } = await untilAnswered(wait, () =>
        client.messages.fetchOne(
          { message_id, allow_empty_topic_name: true },
          { retryPolicy: false, signal: wait.signal },
        ),
      );
      if (!(await concernsBot(message))) return undefined;
      return messageOf({ ...message, content: raw_content }, message.content);
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }

  async function delivered(
    trigger: ChangeTrigger,
    message_id: MessageId,
    changeOf: (sender: Person) => MessageChange,
  ): Promise<ChangeDelivery[]> {
    const message = await fetched(message_id);
    if (message === undefined) return [];
    return [{ ...receiverOf(bot()), trigger, message, change: changeOf(message.sender) }];
  }

  /** Processes that share a store see the same reactions, so that they count alike. */
  function reactionId(event: EventOf<'reaction'>): string {
    const { message_id, user_id, reaction_type, emoji_code, op } = event;
    const name = `${message_id}:${user_id}:${reaction_type}:${emoji_code}:${op}`;
    const key = hash('sha256', name, 'buffer').readUIntBE(0, 6);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count, 1);
    return `reaction:${name}:${count}`;
  }

  function deletions(event: EventOf<'delete_message'>): ChangeDelivery[] {
    const ids = 'message_ids' in event ? event.message_ids : [event.message_id];
    return ids.flatMap((id) => {
      const known = messages.get(id);
      const message = known && messageOf({ ...known, content: '' }, '');
      const change = { id: `delete:${id}`, by: undefined };
      return message === undefined
        ? []
        : [{ ...receiverOf(bot()), trigger: 'delete' as const, message, change }];
    });
  }

  return {
    /** Remembers a message: the event of a deletion has only its id. */
    async remember(message: Message | FetchedMessage): Promise<void> {
      if (triggers.includes('delete') && (await concernsBot(message)))
        messages.set(message.id, message, 1);
    },

    /** The deliveries of an event of a person; none for other events. */
    async deliveriesOf(
      event: { readonly type: string },
      isBot: (id: UserId) => boolean,
    ): Promise<readonly ChangeDelivery[]> {
      const change = event as ChangeEvent;
      if (!changeEventTypes(triggers).includes(change.type)) return [];
      if (change.type === 'delete_message') return deletions(change);
      const { message_id, user_id } = change;
      if (user_id === null || user_id === bot().id || isBot(user_id)) return [];
      if (change.type === 'reaction') {
        const { user, emoji_name: emoji, emoji_code: code, op } = change;
        const by = { id: user_id, email: user.email, fullName: user.full_name };
        const reaction = { emoji, code, isRemoved: op === 'remove' };
        const id = reactionId(change);
        return delivered('reaction', message_id, () => ({ id, by, reaction }));
      }
      const { content, orig_content, edit_timestamp, rendering_only } = change;
      if (content === undefined || orig_content === undefined || rendering_only) return [];
      const digest = hash('sha256', content).slice(0, 16);
      const id = `edit:${message_id}:${edit_timestamp}:${digest}`;
      // Only the sender of a message can edit its content.
      return delivered('edit', message_id, (by) => ({ id, by, earlierContent: orig_content }));
    },
  };
}
