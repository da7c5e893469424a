import { readJson } from '../../json/read-json.ts';

const MAX_LENGTH = 200;

/** The beginning of the message in a payload, of either interface of a bot; empty if it has none. */
export function messageText(payload: string): string {
  const json = readJson(payload) as
    | { readonly message?: { readonly content?: unknown } }
    | undefined;
  const text =
    json === undefined ? new URLSearchParams(payload).get('text') : json?.message?.content;
  return typeof text === 'string' ? text.slice(0, MAX_LENGTH) : '';
}
