import { type InitialState, wordKey } from '@bellhop/protocol';

import { allEmoji, type EmojiImage, findEmoji } from '../emoji.ts';

interface Suggestion {
  readonly key: string;
  /** The text in the list. */
  readonly label: string;
  /** Shown before the label. */
  readonly image?: EmojiImage | undefined;
  readonly hint: string;
  /** The replacement of the typed text. */
  readonly insert: string;
}
export interface Completion {
  /** The start of the text to replace. */
  readonly from: number;
  readonly suggestions: readonly Suggestion[];
}

const SHOWN = 8;
const PIECE = /(?:^|[\s(])([@#:])([\p{L}\p{N}_+.-]*(?: [\p{L}\p{N}_.-]*)?)$/u;

/**
 * Proposals for the text before the cursor: a person after `@`, a channel after `#`, an emoji after
 * `:`.
 */
export function completionOf(state: InitialState, before: string): Completion | undefined {
  const found = PIECE.exec(before);
  if (!found) return undefined;
  const [, sign = '', typed = ''] = found;
  const suggestions = suggestionsOf(state, sign, wordKey(typed));
  return suggestions.length > 0
    ? { from: before.length - typed.length - 1, suggestions }
    : undefined;
}

function suggestionsOf(state: InitialState, sign: string, typed: string): readonly Suggestion[] {
  if (sign === ':') {
    if (typed.length < 2 || typed.includes(' ')) return [];
    return findEmoji(allEmoji(state), typed, SHOWN).map(({ name, text, code, image }) => ({
      key: `${code} ${name}`,
      label: `${text} ${name}`.trim(),
      image,
      hint: '',
      insert: `:${name}: `,
    }));
  }
  return sign === '@' ? mentions(state, typed) : channels(state, typed);
}

function mentions(state: InitialState, typed: string): readonly Suggestion[] {
  const users = [...(state.realm_users ?? []), ...(state.cross_realm_bots ?? [])];
  const names = users.map(({ full_name }) => full_name);
  const isTaken = (name: string) => names.filter((other) => other === name).length > 1;
  const people = best(users, ({ full_name }) => full_name, typed).map(
    ({ user_id, full_name, is_bot, email }) => ({
      key: `user ${user_id}`,
      label: full_name,
      hint: is_bot ? 'bot' : email,
      insert: `@**${full_name}${isTaken(full_name) ? `|${user_id}` : ''}** `,
    }),
  );
  const all = ['all', 'topic']
    .filter((name) => typed !== '' && name.startsWith(typed))
    .map((name) => ({ key: name, label: name, hint: 'everybody here', insert: `@**${name}** ` }));
  const groups = best(
    (state.realm_user_groups ?? []).filter(({ is_system_group }) => !is_system_group),
    ({ name }) => name,
    typed,
  ).map(({ id, name }) => ({
    key: `group ${id}`,
    label: name,
    hint: 'group',
    insert: `@*${name}* `,
  }));
  return [...people, ...groups, ...all].slice(0, SHOWN);
}

const channels = (state: InitialState, typed: string): readonly Suggestion[] =>
  best(state.subscriptions ?? [], ({ name }) => name, typed).map(
    ({ stream_id, name, description }) => ({
      key: `channel ${stream_id}`,
      label: `#${name}`,
      hint: description,
      insert: `#**${name}** `,
    }),
  );

/** The items whose name, or one of its words, begins with the text. */
function best<T>(items: readonly T[], nameOf: (item: T) => string, typed: string): readonly T[] {
  const begins = (item: T) => {
    const name = wordKey(nameOf(item));
    return name.startsWith(typed) || name.split(/[\s-]+/).some((word) => word.startsWith(typed));
  };
  return items
    .filter(begins)
    .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))
    .slice(0, SHOWN);
}
