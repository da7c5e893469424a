import { type NarrowTerm, RESOLVED_MARK, visibilityPolicies } from '@bellhop/protocol';
import { sql } from 'kysely';

import { hasReaction } from '../../../reactions/queries.ts';
import { policyOfMessage } from '../../../user-topics/queries.ts';
import { flagBits, MARKED_FLAGS } from '../../read/flags.ts';
import { isMuted } from '../../read/is-muted.ts';
import { badNarrow } from './bad-narrow.ts';
import { type CompiledTerm, type NarrowContext, textOf } from './narrow-term.ts';

/** The condition of the partial index user_message_marked, word for word. */
const MARKED = sql`um.flags & ${sql.lit(MARKED_FLAGS)} <> 0`;

/** Bits are literals, not parameters: else PostgreSQL would not use the partial index. */
const isMarked = (...names: (keyof typeof flagBits)[]): CompiledTerm => ({
  condition: sql`(${MARKED} and um.flags & ${sql.lit(names.reduce((bits, name) => bits | flagBits[name], 0))} <> 0)`,
  personal: true,
  flagged: 'marked',
});

/** Compiles an `is:` term. Throws BAD_NARROW. */
export function compileIs(context: NarrowContext, term: NarrowTerm): CompiledTerm {
  const operand = textOf(term);
  switch (operand) {
    case 'dm':
    case 'private':
      return { condition: sql`m.channel_id is null`, only: 'direct' };
    case 'starred':
      return isMarked('starred');
    case 'unread':
      return { condition: sql`um.flags & 1 = 0`, personal: true, flagged: 'unread' };
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
        condition: sql`(m.channel_id is not null and starts_with(m.topic, ${RESOLVED_MARK}))`,
        only: 'channel',
      };
    case 'followed':
      return { condition: isFollowed(context), only: 'channel' };
    case 'muted':
      return { condition: isMuted(context.user) };
    default:
      throw badNarrow(`unknown 'is' operand '${operand}'`);
  }
}

/** Compiles `in:home` (without muted channels and topics) and `in:all`. Throws BAD_NARROW. */
export function compileIn(context: NarrowContext, term: NarrowTerm): CompiledTerm {
  const operand = textOf(term);
  if (operand === 'home') return { condition: sql`(${isMuted(context.user)}) is not true` };
  if (operand === 'all') return { condition: sql`true` };
  throw badNarrow(`unknown 'in' operand '${operand}'`);
}

const contents: Readonly<Record<string, CompiledTerm>> = {
  attachment: { condition: sql`m.has_attachment` },
  image: { condition: sql`m.has_image` },
  link: { condition: sql`m.has_link` },
  reaction: { condition: hasReaction('m') },
};

/** Compiles a `has:` term. Throws BAD_NARROW. */
export function compileHas(term: NarrowTerm): CompiledTerm {
  const operand = textOf(term);
  const found = Object.hasOwn(contents, operand) ? contents[operand] : undefined;
  if (!found) throw badNarrow(`unknown 'has' operand '${operand}'`);
  return found;
}

const isFollowed = ({ user }: NarrowContext) =>
  sql`(${policyOfMessage(user)} = ${sql.lit(visibilityPolicies.followed)}) is true`;
