import { type NarrowTerm, Topic } from '@bellhop/protocol';
import { sql } from 'kysely';

import {
  visibleChannel,
  publicChannels,
  type VisibleChannel,
} from '../../../channels/readable-channels.ts';
import { badNarrow } from './bad-narrow.ts';
import { type CompiledTerm, idIn, type NarrowContext, textOf, textOrIdOf } from './narrow-term.ts';

/** The channel that a `channel` term names. Throws BAD_NARROW. */
export async function channelNamed(
  context: NarrowContext,
  term: NarrowTerm,
): Promise<VisibleChannel> {
  const operand = textOrIdOf(term);
  const place = {
    name: typeof operand === 'string' ? operand.trim() : null,
    id: idIn(operand) ?? null,
  };
  const channel = await visibleChannel(context.db, context.user, place);
  if (!channel) throw badNarrow(`unknown channel '${operand}'`);
  return channel;
}

export const inChannel = ({ recipient_id }: VisibleChannel): CompiledTerm => ({
  condition: sql`m.recipient_id = ${recipient_id}`,
  only: 'channel',
});

/** Compiles `channels:public` and `channels:web-public`. Throws BAD_NARROW. */
export function inChannels({ user }: NarrowContext, term: NarrowTerm): CompiledTerm {
  const operand = textOf(term);
  if (operand !== 'public' && operand !== 'web-public')
    throw badNarrow(`unknown channels operand '${operand}'`);
  return {
    condition: sql`m.channel_id in (${publicChannels(user, operand)})`,
    only: 'channel',
  };
}

/** Matches a topic in any letter case, in `channel` or in every channel. */
export function inTopic(term: NarrowTerm, channel: VisibleChannel | undefined): CompiledTerm {
  const topic = Topic.parse(textOf(term));
  const place = channel ? sql`m.channel_id = ${channel.id}` : sql`m.channel_id is not null`;
  return {
    condition: sql`(${place} and lower(m.topic) = lower(${topic}))`,
    only: 'channel',
  };
}
