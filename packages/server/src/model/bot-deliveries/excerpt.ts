import { cutText, oneLine } from '../devices/message-push/cut-text.ts';

const MAX_BYTES = 160;
/** The rest of a longer message is not looked at. */
export const MAX_LOOKED_AT = 1000;

/** The beginning of a message on one line, for a list: at most 160 bytes in JSON. */
export const excerptOf = (content: string): string =>
  cutText(oneLine(content, MAX_LOOKED_AT), MAX_BYTES);

/** The beginning of the message in a payload, of either interface; empty if it has none. */
export function excerptOfPayload(payload: string): string {
  const content = contentOf(payload);
  return typeof content === 'string' ? excerptOf(content) : '';
}

function contentOf(payload: string): unknown {
  try {
    const json = JSON.parse(payload) as {
      readonly message?: { readonly content?: unknown };
    } | null;
    return json?.message?.content;
  } catch {
    return new URLSearchParams(payload).get('text');
  }
}
