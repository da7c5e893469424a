import type { InitialState, NarrowTerm } from '@bellhop/protocol';

import { nameOfChannel } from './names.ts';
import { narrowOf } from './narrow-of.ts';
import type { View } from './view.ts';

/** The fragment of all messages; clients have a view of their own for it. */
const ALL = 'feed';

/**
 * The fragment of a view, as navigation views of other clients have it (spec, Other shapes):
 * `narrow/channel/5-on-call/topic/deploy`.
 */
export function fragmentOf(view: View, state: InitialState): string {
  if (view.kind === 'all') return ALL;
  const parts = narrowOf(view).flatMap(({ operator, operand, negated }) => [
    `${negated ? '-' : ''}${operator}`,
    encode(operandText(operator, operand, state)),
  ]);
  return ['narrow', ...parts].join('/');
}

/** The view of a fragment; undefined for a built-in view that the console does not have. */
export function viewOfFragment(fragment: string): View | undefined {
  if (fragment === ALL) return { kind: 'all' };
  const [kind, ...parts] = fragment.split('/');
  if (kind !== 'narrow' || parts.length === 0 || parts.length % 2 === 1) return undefined;
  const terms = Array.from({ length: parts.length / 2 }, (_, at): [string, string] => [
    parts[at * 2] ?? '',
    decode(parts[at * 2 + 1] ?? ''),
  ]);
  const [[operator, operand], second, ...others] = terms as [(typeof terms)[0], ...typeof terms];
  if (others.length === 0 && /^(channel|stream)$/.test(operator) && /^\d+(-|$)/.test(operand)) {
    const channel = Number.parseInt(operand, 10);
    if (!second) return { kind: 'channel', channel };
    if (second[0] === 'topic') return { kind: 'topic', channel, topic: second[1] };
  }
  if (!second && operator === 'is' && operand === 'mentioned') return { kind: 'mentions' };
  if (!second && operator === 'is' && operand === 'starred') return { kind: 'starred' };
  if (!second && operator === 'dm' && /^\d+(,\d+)*(-|$)/.test(operand))
    return { kind: 'direct', users: (operand.split('-')[0] ?? '').split(',').map(Number) };
  const words = terms.map(([name, value]) =>
    name === 'search' ? value : `${name}:${/\s/.test(value) ? `"${value}"` : value}`,
  );
  return { kind: 'search', text: words.join(' ') };
}

/**
 * The conversation of a link such as `#narrow/channel/5-ops/topic/deploy/near/12`, as mails and messages
 * have it, for this user, and the message in it.
 */
export function placeOfLink(
  hash: string,
  user_id: number,
): { readonly view: View; readonly near: string | undefined } | undefined {
  const fragment = hash.replace(/^#/, '');
  const [, narrow = fragment, near] = /^(.+)\/(?:near|with)\/(\d+)$/.exec(fragment) ?? [];
  const view = viewOfFragment(narrow);
  if (view?.kind !== 'direct') return view && { view, near };
  const others = view.users.filter((id) => id !== user_id);
  return { view: { kind: 'direct', users: others.length > 0 ? others : [user_id] }, near };
}

function operandText(operator: string, operand: NarrowTerm['operand'], state: InitialState) {
  if (operator === 'channel' && typeof operand === 'number')
    return `${operand}-${nameOfChannel(state, operand).replaceAll(' ', '-')}`;
  return Array.isArray(operand) ? operand.join(',') : String(operand);
}

/** Percent-encoding with a dot for the percent sign: a fragment holds no `%`. */
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll('.', '%2E').replaceAll('%', '.');

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'));
  } catch {
    return text;
  }
}
