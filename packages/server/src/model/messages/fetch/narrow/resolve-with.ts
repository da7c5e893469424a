import type { NarrowTerm } from '@bellhop/protocol';

import { readable } from '../../read/readable.ts';
import { badNarrow } from './bad-narrow.ts';
import { idIn, type NarrowContext, textOrIdOf } from './narrow-term.ts';

const conversationOperators = new Set(['channel', 'topic', 'dm']);

/**
 * Replaces the conversation of a narrow by the current conversation of the message in its `with`
 * term. If the user may not read that message, the term is left out and the other terms must name a
 * conversation. Throws BAD_NARROW.
 */
export async function resolveWith(
  context: NarrowContext,
  terms: readonly NarrowTerm[],
): Promise<readonly NarrowTerm[]> {
  const [term, another] = terms.filter(({ operator }) => operator === 'with');
  if (!term) return terms;
  if (another) throw badNarrow("duplicate 'with' operators");
  if (term.negated) throw badNarrow("'with' cannot be negated");
  const id = idIn(textOrIdOf(term));
  if (id === undefined) throw badNarrow(`invalid message ID in 'with': '${String(term.operand)}'`);
  const others = terms.filter((other) => other !== term);
  const message = await readable(context.db, context.user, id);
  if (!message) {
    const named = new Set(others.map(({ operator }) => operator));
    if (named.has('dm') || (named.has('channel') && named.has('topic'))) return others;
    throw badNarrow(`message ${id} of 'with' cannot be read`);
  }
  const rest = others.filter(({ operator }) => !conversationOperators.has(operator));
  const { channel_id, topic, user_ids } = message;
  return channel_id === null
    ? [...rest, termOf('dm', [...(user_ids ?? [])])]
    : [...rest, termOf('channel', channel_id), termOf('topic', topic)];
}

const termOf = (operator: string, operand: NarrowTerm['operand']): NarrowTerm => ({
  operator,
  operand,
  negated: false,
});
