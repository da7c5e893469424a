import type { NarrowTerm } from '@bellhop/protocol';

import { readable } from '../../read/readable.ts';
import { badNarrow } from './bad-narrow.ts';
import { idIn, type Seeker, textOrIdOf } from './narrow-term.ts';

const conversation = new Set(['channel', 'topic', 'dm']);

/**
 * Replaces the conversation a narrow names by the one that holds the message of its `with` term now.
 * If that message cannot be read the term is left out, unless nothing else names a conversation.
 * Throws BAD_NARROW.
 */
export async function followWith(
  seeker: Seeker,
  terms: readonly NarrowTerm[],
): Promise<readonly NarrowTerm[]> {
  const [term, another] = terms.filter(({ operator }) => operator === 'with');
  if (!term) return terms;
  if (another) throw badNarrow("duplicate 'with' operators");
  const id = idIn(textOrIdOf(term));
  if (id === undefined) throw badNarrow(`invalid message ID in 'with': '${String(term.operand)}'`);
  const others = terms.filter((other) => other !== term);
  const place = await readable(seeker.db, seeker.user, id);
  if (!place) {
    const named = new Set(others.map(({ operator }) => operator));
    if (named.has('dm') || (named.has('channel') && named.has('topic'))) return others;
    throw badNarrow(`message ${id} of 'with' cannot be read`);
  }
  const rest = others.filter(({ operator }) => !conversation.has(operator));
  const { channel_id, topic, user_ids } = place;
  return channel_id === null
    ? [...rest, exactly('dm', [...(user_ids ?? [])])]
    : [...rest, exactly('channel', channel_id), exactly('topic', topic)];
}

const exactly = (operator: string, operand: NarrowTerm['operand']): NarrowTerm => ({
  operator,
  operand,
  negated: false,
});
