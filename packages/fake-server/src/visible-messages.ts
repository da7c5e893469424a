import type { Conversation } from './conversation.ts';
import { channelNamed, type World, accountById } from './world.ts';

/** Names a topic by its channel, or a direct message conversation by all its participants. */
export type ConversationName =
  | { readonly channel: string; readonly topic: string }
  | { readonly users: readonly { readonly id: number }[] };

/** Throws if the channel or a user does not exist. */
export function conversationNamed(world: World, name: ConversationName): Conversation {
  if ('channel' in name) {
    const channel = channelNamed(world, name.channel);
    if (!channel) throw new Error(`There is no channel ${name.channel}.`);
    return { channel, topic: name.topic };
  }
  const participants = name.users.map(({ id }) => {
    const account = accountById(world, id);
    if (!account) throw new Error(`There is no user ${id}.`);
    return account;
  });
  return { participants };
}

/** A message as a test sees it. */
export interface VisibleMessage {
  readonly id: number;
  /** The full name of the sender. */
  readonly sender: string;
  /** Raw Markdown. */
  readonly content: string;
  readonly widget: string | undefined;
  /** The emoji names, one per reaction. */
  readonly reactions: readonly string[];
  readonly isEdited: boolean;
}

/** The messages of a conversation that are not deleted, oldest first. */
export const messagesIn = ({ messages }: World, wanted: Conversation): VisibleMessage[] =>
  messages
    .filter(({ conversation }) => isSame(conversation, wanted))
    .map(({ id, sender, content, submessages, reactions, last_edit_timestamp }) => ({
      id,
      sender: sender.full_name,
      content,
      widget: submessages[0]?.content,
      reactions: reactions.map(({ emoji_name }) => emoji_name),
      isEdited: last_edit_timestamp !== undefined,
    }));

function isSame(one: Conversation, other: Conversation): boolean {
  if ('channel' in one)
    return 'channel' in other && one.channel === other.channel && one.topic === other.topic;
  return (
    'participants' in other &&
    one.participants.length === new Set(other.participants).size &&
    one.participants.every((account) => other.participants.includes(account))
  );
}
