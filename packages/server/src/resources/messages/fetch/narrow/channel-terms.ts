import { EMPTY_TOPIC_DISPLAY_NAME, type NarrowTerm, Topic } from '@bellhop/protocol';
import { sql } from 'kysely';

import {
  forReading,
  publicChannels,
  type ReadableChannel,
} from '../../../channels/readable-channels.ts';
import { badNarrow } from './bad-narrow.ts';
import { type Compiled, idIn, type Seeker, textOf, textOrIdOf } from './narrow-term.ts';

/** The channel that a `channel` term names. Throws BAD_NARROW. */
export async function channelNamed(seeker: Seeker, term: NarrowTerm): Promise<ReadableChannel> {
  const operand = textOrIdOf(term);
  const place = {
    name: typeof operand === 'string' ? operand.trim() : null,
    id: idIn(operand) ?? null,
  };
  const channel = await forReading(seeker.db, seeker.user, place);
  if (!channel) throw badNarrow(`unknown channel '${operand}'`);
  return channel;
}

export const inChannel = ({ recipient_id }: ReadableChannel): Compiled => ({
  condition: sql`m.recipient_id = ${recipient_id}`,
  only: 'channel',
});

/** `channels:public`, `channels:web-public`. */
export function inChannels({ user }: Seeker, term: NarrowTerm): Compiled {
  const operand = textOf(term);
  if (operand !== 'public' && operand !== 'web-public')
    throw badNarrow(`unknown channels operand '${operand}'`);
  return {
    condition: sql`m.channel_id in (${publicChannels(user, operand)})`,
    only: 'channel',
  };
}

/** A topic in any letter case, of the channel where the narrow names one. */
export function inTopic(term: NarrowTerm, channel: ReadableChannel | undefined): Compiled {
  const operand = textOf(term);
  const isEmpty = operand.trim().toLowerCase() === EMPTY_TOPIC_DISPLAY_NAME;
  const topic = isEmpty ? '' : Topic.parse(operand);
  const place = channel ? sql`m.channel_id = ${channel.id}` : sql`m.channel_id is not null`;
  return {
    condition: sql`(${place} and lower(m.topic) = lower(${topic}))`,
    only: 'channel',
  };
}
