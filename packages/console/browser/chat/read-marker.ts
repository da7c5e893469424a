import type { FetchedMessage } from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';
import type { View } from './view.ts';

const WAIT_MS = 300;
const MAX_IDS = 1000;

/**
 * Marks messages as read that were in sight while the page had the focus. Searches and collections
 * mark nothing: their messages are out of their conversation.
 */
export function readMarker({ client }: LiveAccount, view: View) {
  const marks =
    view.kind === 'topic' ||
    view.kind === 'direct' ||
    view.kind === 'channel' ||
    view.kind === 'all';
  const waiting = new Set<number>();
  const asked = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    const ids = [...waiting].slice(0, MAX_IDS);
    waiting.clear();
    if (ids.length === 0) return;
    const params = { messages: ids as never, op: 'add', flag: 'read' } as const;
    client.messages.setFlag(params).catch(() => {
      for (const id of ids) asked.delete(id);
    });
  };
  return {
    /** The messages from one ID to another are in sight. */
    seen: (messages: readonly FetchedMessage[], first: number, last: number) => {
      if (!marks || !document.hasFocus()) return;
      for (const { id, flags } of messages) {
        if (id < first || id > last || flags.includes('read') || asked.has(id)) continue;
        asked.add(id);
        waiting.add(id);
      }
      if (waiting.size > 0) timer ??= setTimeout(flush, WAIT_MS);
    },
    /** The user marked a message as unread: it stays unread until the view is opened again. */
    stop: () => {
      clearTimeout(timer);
      flush();
    },
  };
}
