import type { Place } from './place.ts';
import { channelNamed, type World, accountById } from './world.ts';

interface Somebody {
  readonly user_id: number;
}

/** A topic of a channel, or everybody who takes part in a direct message conversation. */
export type Conversation =
  | { readonly channel: string; readonly topic: string }
  | { readonly between: readonly Somebody[] };

/** Throws where there is no such channel, or nobody of that id. */
export function placeOf(world: World, conversation: Conversation): Place {
  if ('channel' in conversation) {
    const channel = channelNamed(world, conversation.channel);
    if (!channel) throw new Error(`There is no channel ${conversation.channel}.`);
    return { channel, topic: conversation.topic };
  }
  const people = conversation.between.map(({ user_id }) => {
    const account = accountById(world, user_id);
    if (!account) throw new Error(`There is no user ${user_id}.`);
    return account;
  });
  return { people };
}

/** A message as somebody sees it who looks at the conversation. */
export interface SeenMessage {
  readonly id: number;
  /** The full name of its sender. */
  readonly from: string;
  /** Raw Markdown. */
  readonly content: string;
  readonly widget_content: string | undefined;
  /** The names of the emoji, one for each who reacted. */
  readonly reactions: readonly string[];
  readonly isEdited: boolean;
}

/** What was said in a place and not deleted, oldest first. */
export const messagesIn = ({ messages }: World, wanted: Place): SeenMessage[] =>
  messages
    .filter(({ place }) => isSame(place, wanted))
    .map(({ id, sender, content, submessages, reactions, last_edit_timestamp }) => ({
      id,
      from: sender.full_name,
      content,
      widget_content: submessages[0]?.content,
      reactions: reactions.map(({ emoji_name }) => emoji_name),
      isEdited: last_edit_timestamp !== undefined,
    }));

function isSame(one: Place, other: Place): boolean {
  if ('channel' in one)
    return 'channel' in other && one.channel === other.channel && one.topic === other.topic;
  return (
    'people' in other &&
    one.people.length === new Set(other.people).size &&
    one.people.every((person) => other.people.includes(person))
  );
}
