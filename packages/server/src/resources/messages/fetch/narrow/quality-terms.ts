import type { NarrowTerm } from '@bellhop/protocol';
import { sql } from 'kysely';

import { mutedChannels } from '../../../channels/readable-channels.ts';
import { hasReaction } from '../../../reactions/queries.ts';
import { flagBits } from '../../read/flags.ts';
import { badNarrow } from './bad-narrow.ts';
import { type Compiled, type Seeker, textOf } from './narrow-term.ts';

const RESOLVED = '\u2714 ';

/** Flags that few messages have: starred, mentioned in any way, alerted. As in user_message_marked. */
const MARKED = sql`um.flags & 250 <> 0`;

/** Written out, not as parameters, so that the partial indexes of user_message are used. */
const isMarked = (...names: (keyof typeof flagBits)[]): Compiled => ({
  condition: sql`(${MARKED} and um.flags & ${sql.lit(names.reduce((bits, name) => bits | flagBits[name], 0))} <> 0)`,
  personal: true,
});

/** `is:` anything. */
export function is(seeker: Seeker, term: NarrowTerm): Compiled {
  const operand = textOf(term);
  switch (operand) {
    case 'dm':
    case 'private':
      return { condition: sql`m.channel_id is null`, only: 'direct' };
    case 'starred':
      return isMarked('starred');
    case 'unread':
      return { condition: sql`um.flags & 1 = 0`, personal: true };
    case 'mentioned':
      return isMarked(
        'mentioned',
        'group_mentioned',
        'stream_wildcard_mentioned',
        'topic_wildcard_mentioned',
      );
    case 'alerted':
      return isMarked('has_alert_word');
    case 'resolved':
      return {
        condition: sql`(m.channel_id is not null and starts_with(m.topic, ${RESOLVED}))`,
        only: 'channel',
      };
    case 'followed':
      return { condition: isFollowed, only: 'channel' };
    case 'muted':
      return { condition: isMuted(seeker) };
    default:
      throw badNarrow(`unknown 'is' operand '${operand}'`);
  }
}

/** `in:home` leaves out what is muted; `in:all` nothing. */
export function within(seeker: Seeker, term: NarrowTerm): Compiled {
  const operand = textOf(term);
  if (operand === 'home') return { condition: sql`(${isMuted(seeker)}) is not true` };
  if (operand === 'all') return { condition: sql`true` };
  throw badNarrow(`unknown 'in' operand '${operand}'`);
}

const contents: Readonly<Record<string, Compiled>> = {
  attachment: { condition: sql`m.has_attachment` },
  image: { condition: sql`m.has_image` },
  link: { condition: sql`m.has_link` },
  reaction: { condition: hasReaction('m') },
};

export function has(term: NarrowTerm): Compiled {
  const operand = textOf(term);
  const found = Object.hasOwn(contents, operand) ? contents[operand] : undefined;
  if (!found) throw badNarrow(`unknown 'has' operand '${operand}'`);
  return found;
}

/** Channels can be muted; topics have no policies of their own yet, so that none is followed. */
const isMuted = ({ user }: Seeker) =>
  sql`(m.channel_id is not null and m.channel_id in (${mutedChannels(user)}))`;
const isFollowed = sql`false`;
