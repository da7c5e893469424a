import {
  type DisplayRecipient,
  foldCase,
  meantTopic,
  type NarrowTerm,
  RESOLVED_MARK,
  type UserId,
} from '@bellhop/protocol';

import {
  type Presenter,
  queueFields,
  type Reader,
  readerFields,
} from '../../engine/stored-event.ts';
import { canonical } from '../../model/messages/fetch/narrow/narrow-term.ts';
import { messageForClient } from '../../model/messages/message-record.ts';
import type { MessageRecord } from '../../model/messages/message.ts';

declare module '../../engine/stored-event.ts' {
  interface StoredEvents {
    /** Rendered for each queue; the flags are personal. */
    message: { readonly type: 'message'; readonly message: object };
  }
}

interface MessageDelivery {
  readonly flags?: readonly string[];
  readonly local_message_id?: string;
}

/** Presents a `message` event to a queue in its format, with the flags of its reader. */
export const presentMessage: Presenter = (event, reader) => {
  const { payload } = event;
  const own = readerFields(event, reader) as MessageDelivery | undefined;
  const record = payload['message'] as MessageRecord;
  const flags = own?.flags ?? [];
  if (!inNarrow(reader, record, flags)) return [];
  const { apply_markdown, client_gravatar, capabilities } = reader.registration;
  const allow_empty_topic_name = capabilities.empty_topic_name;
  return [
    {
      type: 'message',
      message: messageForClient(record, {
        apply_markdown,
        client_gravatar,
        allow_empty_topic_name,
      }),
      flags,
      ...queueFields(event, reader),
    },
  ];
};

const inNarrow = (
  { registration, user_id }: Reader,
  message: MessageRecord,
  flags: readonly string[],
) =>
  registration.narrow.every((term) =>
    canonical(term).operator === 'dm'
      ? isWith(term, message, user_id) !== term.negated
      : holds(term, message, flags) !== term.negated,
  );

/** Whether a direct message is in the conversation of a reader with the users of a term, and nobody else. */
function isWith({ operand }: NarrowTerm, { display_recipient }: MessageRecord, reader: UserId) {
  if (typeof display_recipient === 'string') return false;
  const named = (typeof operand === 'string' ? operand.split(',') : [operand].flat()).map((one) =>
    foldCase(String(one).trim()),
  );
  const keysOf = ({ id, email }: DisplayRecipient) => [String(id), foldCase(email)];
  const keys = new Set(display_recipient.flatMap(keysOf));
  return (
    named.every((one) => keys.has(one)) &&
    display_recipient.every(
      (one) => one.id === reader || keysOf(one).some((key) => named.includes(key)),
    )
  );
}

/** Queues filter by these operators only; `POST /register` refuses the others. */
function holds(
  { operator, operand }: NarrowTerm,
  message: MessageRecord,
  flags: readonly string[],
): boolean {
  const text = foldCase(String(operand));
  switch (operator) {
    case 'channel':
    case 'stream':
      return (
        message.type === 'stream' &&
        (typeof operand === 'number'
          ? message.stream_id === operand
          : nameOf(message) === text.trim())
      );
    case 'topic':
      return message.type === 'stream' && foldCase(message.subject) === meantTopic(text.trim());
    case 'sender':
      return foldCase(message.sender_email) === text || String(message.sender_id) === text;
    case 'is':
      return hasQuality(text, message, flags);
    default:
      return false;
  }
}

function hasQuality(quality: string, message: MessageRecord, flags: readonly string[]): boolean {
  switch (quality) {
    case 'dm':
    case 'private':
      return message.type === 'private';
    case 'starred':
      return flags.includes('starred');
    case 'unread':
      return !flags.includes('read');
    case 'mentioned':
      return flags.some((flag) => flag.endsWith('mentioned'));
    case 'alerted':
      return flags.includes('has_alert_word');
    case 'resolved':
      return message.type === 'stream' && message.subject.startsWith(RESOLVED_MARK);
    default:
      return false;
  }
}

const nameOf = ({ display_recipient }: MessageRecord) =>
  typeof display_recipient === 'string' ? foldCase(display_recipient) : undefined;
