import { type HttpRequest, requestBytes } from '../load.ts';
import type { Person } from '../send/serve.ts';

/** What the changes are about. Each person has one draft. */
export interface ChangedThings {
  readonly people: readonly Person[];
  readonly messages: readonly number[];
  readonly drafts: readonly number[];
}

/**
 * Stars, reactions and drafts of all people in turn. The second half takes back what the first has
 * added, so that the sequence can be repeated: no request is refused.
 */
export function changeSequence(things: ChangedThings): Buffer[] {
  const { people, messages } = things;
  const places = people.flatMap((person, who) =>
    messages.map((message) => ({ person, who, message })),
  );
  // People take turns, so that neighbours in the sequence are different ones.
  const ordered = places.toSorted((a, b) => a.message - b.message || a.who - b.who);
  return [true, false].flatMap((adds) =>
    ordered.flatMap(({ person, who, message }) =>
      [
        flag(message, adds),
        reaction(message, adds),
        draft(things.drafts[who] ?? 0, `To be, or not to be, ${message}`),
      ].map((request) => requestBytes(as(person, request))),
    ),
  );
}

/** A draft without an address. */
export const draftOf = (content: string) => ({ type: '' as const, to: [], topic: '', content });

interface Change {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
}

const flag = (message: number, adds: boolean): Change => ({
  method: 'POST',
  path: '/api/v1/messages/flags',
  params: { messages: `[${message}]`, op: adds ? 'add' : 'remove', flag: 'starred' },
});

const reaction = (message: number, adds: boolean): Change => ({
  method: adds ? 'POST' : 'DELETE',
  path: `/api/v1/messages/${message}/reactions`,
  params: { emoji_name: 'thumbs_up' },
});

const draft = (id: number, content: string): Change => ({
  method: 'PATCH',
  path: `/api/v1/drafts/${id}`,
  params: { draft: JSON.stringify(draftOf(content)) },
});

const as = ({ email, api_key }: Person, { method, path, params }: Change): HttpRequest => ({
  method,
  path,
  headers: {
    authorization: `Basic ${btoa(`${email}:${api_key}`)}`,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: new URLSearchParams(params).toString(),
});
