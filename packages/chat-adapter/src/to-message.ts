import type { Person } from '@bellhop/bot';
import type { ClientOptions } from '@bellhop/client/plain';
import { type Author, Message, walkAst } from 'chat';

import { attachmentsIn } from './files.ts';
import type { BellhopFormatConverter } from './format-converter.ts';
import type { BellhopRawMessage } from './raw-message.ts';
import type { BellhopThreadId } from './thread-id.ts';

export interface MessageParts {
  readonly converter: BellhopFormatConverter;
  readonly options: ClientOptions;
  /** The ID of the bot itself; undefined before the adapter is initialized. */
  readonly ownId: number | undefined;
}

/** The thread of a message. */
export function placeOf(raw: BellhopRawMessage, ownId: number | undefined): BellhopThreadId {
  if ('channel' in raw) return { channelId: raw.channel.id, topic: raw.topic };
  const ids = raw.recipients.map(({ id }) => id);
  const others = ids.filter((id) => id !== ownId);
  return { userIds: others.length > 0 ? others : ids };
}

/** A message of the server as the Chat SDK has it. */
export function toMessage(
  raw: BellhopRawMessage,
  threadId: string,
  { converter, options, ownId }: MessageParts,
): Message<BellhopRawMessage> {
  const { editedAt, isMention } = raw;
  const formatted = converter.toAst(raw.content);
  return new Message({
    id: String(raw.id),
    threadId,
    text: converter.extractPlainText(raw.content),
    formatted,
    raw,
    author: authorOf(raw.sender, { ownId, isBot: raw.isBot }),
    metadata: {
      dateSent: new Date(raw.timestamp * 1000),
      edited: editedAt !== undefined,
      ...(editedAt === undefined ? {} : { editedAt: new Date(editedAt * 1000) }),
    },
    attachments: attachmentsIn(raw.content, options),
    links: linksIn(formatted).map((url) => ({ url })),
    ...(isMention === undefined ? {} : { isMention }),
  });
}

interface KnownOfAuthor {
  readonly ownId: number | undefined;
  /** Undefined if it is not known. */
  readonly isBot?: boolean | undefined;
}

export const authorOf = (
  { id, email, fullName }: Person,
  { ownId, isBot }: KnownOfAuthor,
): Author => ({
  userId: String(id),
  // People have no other name: this one mentions them.
  userName: fullName,
  fullName,
  ...(email === '' ? {} : { email }),
  isBot: id === ownId ? true : (isBot ?? 'unknown'),
  isMe: id === ownId,
});

function linksIn(ast: Parameters<typeof walkAst>[0]): string[] {
  const urls = new Set<string>();
  walkAst(ast, (node) => {
    if (node.type === 'link' && /^https?:/.test(node.url)) urls.add(node.url);
    return node;
  });
  return [...urls];
}
