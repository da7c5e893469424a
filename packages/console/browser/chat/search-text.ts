import { type InitialState, wordKey } from '@bellhop/protocol';

import type { FilterKeys } from '../list/suggestions.ts';

type State = Pick<InitialState, 'realm_users' | 'subscriptions'>;

/** The operators of a search with values to suggest. */
export function searchKeys({ realm_users = [], subscriptions = [] }: State): FilterKeys {
  const people = (realm_users ?? []).map(({ email }) => email);
  return {
    from: ['me', ...people],
    is: ['unread', 'mentioned', 'starred', 'dm', 'followed', 'resolved', 'alerted', 'muted'],
    has: ['link', 'image', 'attachment', 'reaction'],
    channel: (subscriptions ?? []).map(({ name }) => (/\s/.test(name) ? `"${name}"` : name)),
    topic: [],
    dm: people,
    'dm-including': people,
    in: ['home', 'all'],
    near: [],
  };
}

const PERSON = /(^|\s)(-?(?:from|sender|dm|dm-including):)(?:"([^"]*)"|(\S+))/giu;

/** A search with addresses in place of the names of people, of `me`, and of what begins a name of one person alone. */
export function withAddresses(text: string, state: State, self: number): string {
  return text.replaceAll(PERSON, (whole, space: string, operator: string, ...named) => {
    const [quoted, plain = ''] = named as [string | undefined, string | undefined];
    const address = addressOf(quoted ?? plain, state, self);
    return address === undefined ? whole : `${space}${operator}${address}`;
  });
}

function addressOf(name: string, { realm_users = [] }: State, self: number): string | undefined {
  const all = realm_users ?? [];
  const wanted = wordKey(name);
  if (wanted === 'me') return all.find(({ user_id }) => user_id === self)?.email;
  const exact = all.filter(({ full_name }) => wordKey(full_name) === wanted);
  const byWord = all.filter(({ full_name }) => wordKey(full_name).split(/\s+/).includes(wanted));
  const byStart = all.filter(({ full_name }) =>
    wordKey(full_name)
      .split(/\s+/)
      .some((word) => word.startsWith(wanted)),
  );
  const [found, ...others] = [exact, byWord, byStart].find((some) => some.length > 0) ?? [];
  return others.length === 0 ? found?.email : undefined;
}
