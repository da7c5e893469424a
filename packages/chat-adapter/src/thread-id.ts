import { ValidationError } from '@chat-adapter/shared';

import { NAME } from './adapter-config.ts';

/** What a thread is: a topic of a channel, or the direct messages of some people. */
export type BellhopThreadId =
  | { readonly channelId: number; readonly topic: string }
  /** The other people, without the bot, unless it writes to itself; in rising order. */
  | { readonly userIds: readonly number[] };

/** Servers cut longer topics, which would then be another thread. */
export const MAX_TOPIC_LENGTH = 60;
const DIRECT = `${NAME}:dm:`;

/**
 * `bellhop:7:<topic in base64url>` or `bellhop:dm:9,12`. Throws a ValidationError for a topic of more
 * than 60 characters, and for what is no ID.
 */
export function encodeThreadId(thread: BellhopThreadId): string {
  if ('userIds' in thread) {
    const ids = [...new Set(thread.userIds)].sort((a, b) => a - b);
    if (ids.length === 0 || !ids.every(isId))
      throw invalid(`A direct conversation needs the IDs of its users, not [${ids.join(', ')}].`);
    return DIRECT + ids.join(',');
  }
  const { channelId } = thread;
  const topic = thread.topic.trim();
  if (!isId(channelId)) throw invalid(`${channelId} is not the ID of a channel.`);
  const { length } = Array.from(topic);
  if (length > MAX_TOPIC_LENGTH)
    throw invalid(`A topic has at most ${MAX_TOPIC_LENGTH} characters, not ${length}: ${topic}`);
  return `${encodeChannelId(channelId)}:${Buffer.from(topic).toString('base64url')}`;
}

/** Throws a ValidationError if it is not the ID of a thread. */
export function decodeThreadId(threadId: string): BellhopThreadId {
  const thread = threadOf(threadId);
  if (thread === undefined)
    throw invalid(`"${threadId}" is not the ID of a thread, as encodeThreadId makes them.`);
  return thread;
}

function threadOf(threadId: string): BellhopThreadId | undefined {
  const direct = /^bellhop:dm:(\d{1,15}(?:,\d{1,15})*)$/.exec(threadId)?.[1];
  if (direct !== undefined) return { userIds: direct.split(',').map(Number) };
  const [, id, topic] = /^bellhop:(\d{1,15}):([\w-]*)$/.exec(threadId) ?? [];
  if (id === undefined || topic === undefined) return undefined;
  return { channelId: Number(id), topic: Buffer.from(topic, 'base64url').toString() };
}

export const encodeChannelId = (channelId: number): string => `${NAME}:${channelId}`;

/** The channel of an ID such as `bellhop:7`; undefined for an ID of a thread. */
export function channelOf(id: string): number | undefined {
  const channelId = /^bellhop:(\d{1,15})$/.exec(id)?.[1];
  return channelId === undefined ? undefined : Number(channelId);
}

export const isDirect = (threadId: string): boolean => threadId.startsWith(DIRECT);

/** A direct conversation is a channel of its own. */
export const channelIdOf = (threadId: string): string =>
  isDirect(threadId) ? threadId : threadId.split(':').slice(0, 2).join(':');

/** The number of an ID of a message or a user. Throws a ValidationError for another text. */
export function numericId(id: string, what: 'message' | 'user'): number {
  const number = Number(id);
  if (/^\d{1,15}$/.test(id) && isId(number)) return number;
  throw invalid(`"${id}" is not the ID of a ${what}.`);
}

const isId = (id: number) => Number.isSafeInteger(id) && id > 0;
const invalid = (message: string) => new ValidationError(NAME, message);
