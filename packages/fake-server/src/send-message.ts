import { badRequest, MAX_TOPIC_LENGTH, type MessageFlag, type UserId } from '@bellhop/protocol';

import type { Account } from './account.ts';
import { compileNarrow } from './narrow.ts';
import type { Place } from './place.ts';
import { renderContent } from './render-content.ts';
import { flagsOf, shownMessage, type StoredMessage } from './stored-message.ts';
import { widgetOf } from './widget-of.ts';
import { accountById, nextMessageId, nextSubmessageId, type World } from './world.ts';

export interface Draft {
  readonly sender: Account;
  readonly place: Place;
  readonly content: string;
  readonly client: string;
  readonly read_by_sender?: boolean;
  readonly widget_content?: string | undefined;
  /** The queue that is told this message is the one it sent. */
  readonly echo?: { readonly queue_id: string; readonly local_id: string };
}

/** Stores a message and tells everybody it is for. Throws BAD_REQUEST for content that is none. */
export function sendMessage(world: World, draft: Draft): StoredMessage {
  const { sender, client, read_by_sender = false, widget_content } = draft;
  const place = checkedPlace(draft.place);
  const content = checkContent(draft.content);
  const id = nextMessageId(world);
  const widget = widgetOf(content, widget_content);
  const { html, mentioned, wildcard } = renderContent(content, world.accounts);
  const recipients: readonly UserId[] =
    'channel' in place
      ? [...place.channel.subscribers]
      : place.people.map(({ user_id }) => user_id);
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
    place,
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
  tell(world, message, draft);
  world.onMessage(message);
  return message;
}

const LONGEST = 10_000;
const CUT = '\n[message truncated]';

/** Content as it is stored: trimmed and cut. Throws BAD_REQUEST if nothing is left. */
export function checkContent(content: string): string {
  const trimmed = content.replace(/^\n+/, '').trimEnd();
  if (trimmed.trim() === '') throw badRequest('Message must not be empty');
  if (trimmed.includes('\0')) throw badRequest('Message must not contain null bytes');
  const characters = Array.from(trimmed);
  return characters.length <= LONGEST
    ? trimmed
    : characters.slice(0, LONGEST - CUT.length).join('') + CUT;
}

function checkedPlace(place: Place): Place {
  if ('people' in place) {
    const unique = new Map(place.people.map((one) => [one.user_id, one]));
    return { people: [...unique.values()].toSorted((a, b) => a.user_id - b.user_id) };
  }
  const characters = Array.from(place.topic);
  if (characters.length <= MAX_TOPIC_LENGTH) return place;
  return { ...place, topic: `${characters.slice(0, MAX_TOPIC_LENGTH - 3).join('')}...` };
}

function tell(world: World, message: StoredMessage, { echo }: Draft): void {
  const { place, received } = message;
  world.queues.tell({
    type: 'message',
    audience: received.keys(),
    isPublic: 'channel' in place && !place.channel.invite_only,
    show: (reader) => {
      const account = accountById(world, reader.user_id);
      if (!account || !compileNarrow(reader.narrow, { world, reader: account })(message))
        return undefined;
      const options = { ...reader, allow_empty_topic_name: reader.capabilities.empty_topic_name };
      return {
        message: shownMessage(message, options),
        flags: received.has(reader.user_id) ? flagsOf(message, reader.user_id) : [],
        ...(echo?.queue_id === reader.queue_id ? { local_message_id: echo.local_id } : {}),
      };
    },
  });
}
