import { checkContent, cutTopic, type MessageFlag, type UserId, widgetOf } from '@bellhop/protocol';

import type { Account } from './account.ts';
import type { Conversation } from './conversation.ts';
import { compileNarrow } from './narrow.ts';
import { renderContent } from './render-content.ts';
import { flagsOf, shownMessage, type StoredMessage } from './stored-message.ts';
import { accountById, nextMessageId, nextSubmessageId, type World } from './world.ts';

export interface NewMessage {
  readonly sender: Account;
  readonly conversation: Conversation;
  readonly content: string;
  readonly client: string;
  readonly read_by_sender?: boolean;
  readonly widget_content?: string | undefined;
  /** The queue of the sending client, which gets `local_id` with the event. */
  readonly echo?: { readonly queue_id: string; readonly local_id: string };
}

/** Stores a message and sends its events. Throws BAD_REQUEST for empty content or NUL. */
export function sendMessage(world: World, sent: NewMessage): StoredMessage {
  const { sender, client, read_by_sender = false, widget_content } = sent;
  const conversation = normalized(sent.conversation);
  const content = checkContent(sent.content);
  const id = nextMessageId(world);
  const widget = widgetOf(content, widget_content);
  const { html, mentioned, wildcard } = renderContent(content, world.accounts);
  const recipients: readonly UserId[] =
    'channel' in conversation
      ? [...conversation.channel.subscribers]
      : conversation.participants.map(({ user_id }) => user_id);
  const received = new Map<UserId, Set<MessageFlag>>();
  for (const user_id of recipients) {
    const flags = new Set<MessageFlag>();
    if (user_id === sender.user_id && read_by_sender) flags.add('read');
    if ([...mentioned].some((one) => one.user_id === user_id)) flags.add('mentioned');
    if (wildcard) flags.add('stream_wildcard_mentioned').add('wildcard_mentioned');
    received.set(user_id, flags);
  }
  const message: StoredMessage = {
    id,
    sender,
    conversation,
    content,
    rendered_content: html,
    timestamp: world.now(),
    client,
    reactions: [],
    submessages:
      widget === undefined
        ? []
        : [
            {
              id: nextSubmessageId(world),
              message_id: id,
              sender_id: sender.user_id,
              msg_type: 'widget',
              content: widget,
            },
          ],
    edit_history: [],
    last_edit_timestamp: undefined,
    last_moved_timestamp: undefined,
    received,
  };
  world.messages.push(message);
  publish(world, message, sent);
  world.onMessage(message);
  return message;
}

/** With each participant once, sorted by id, and a topic of at most MAX_TOPIC_LENGTH characters. */
function normalized(conversation: Conversation): Conversation {
  if ('participants' in conversation) {
    const unique = new Map(conversation.participants.map((one) => [one.user_id, one]));
    return { participants: [...unique.values()].toSorted((a, b) => a.user_id - b.user_id) };
  }
  return { ...conversation, topic: cutTopic(conversation.topic) };
}

function publish(world: World, message: StoredMessage, { echo }: NewMessage): void {
  const { conversation, received } = message;
  world.queues.publish({
    type: 'message',
    audience: received.keys(),
    isPublic: 'channel' in conversation && !conversation.channel.invite_only,
    show: (reader) => {
      const account = accountById(world, reader.user_id);
      if (!account || !compileNarrow(reader.narrow, { world, reader: account })(message))
        return undefined;
      const options = { ...reader, allow_empty_topic_name: reader.capabilities.empty_topic_name };
      return {
        message: shownMessage(message, options),
        flags: received.has(reader.user_id) ? flagsOf(message, reader.user_id) : [],
        ...(echo?.queue_id === reader.queue_id && message.sender.user_id === reader.user_id
          ? { local_message_id: echo.local_id }
          : {}),
      };
    },
  });
}
