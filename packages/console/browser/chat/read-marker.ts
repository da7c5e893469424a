import type { UserSettings } from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import type { Feed } from './feed.ts';
import type { View } from './view.ts';

const WAIT_MS = 300;
const MAX_IDS = 1000;

/**
 * Whether messages in sight of a view are read: setting `web_mark_read_on_scroll_policy`. Those of searches
 * and collections are not: they are out of their conversation.
 */
export function marksRead({ kind }: View, policy: UserSettings['web_mark_read_on_scroll_policy']) {
  if (policy === NEVER) return false;
  if (kind === 'topic' || kind === 'direct') return true;
  return (kind === 'channel' || kind === 'all') && policy === ALWAYS;
}
const ALWAYS = 1;
const NEVER = 3;

/** Marks messages as read that were in sight while the page had the focus. */
export function readMarker(account: LiveAccount, view: View, { messages }: Feed) {
  const { client } = account;
  const waiting = new Set<number>();
  /** A message that the user marked as unread stays unread until the view is opened again. */
  const asked = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    // The server refuses a message that was deleted meanwhile, and all others with it.
    const ids = messages
      .peek()
      .map(({ id }) => id)
      .filter((id) => waiting.has(id))
      .slice(0, MAX_IDS);
    waiting.clear();
    if (ids.length === 0) return;
    const params = { messages: ids, op: 'add', flag: 'read' } as const;
    client.messages.setFlag(params).catch(() => {
      for (const id of ids) asked.delete(id);
    });
  };
  return {
    /** The messages from one ID to another are in sight. */
    seen: (first: number, last: number) => {
      const policy = userSetting(account, 'web_mark_read_on_scroll_policy');
      if (!marksRead(view, policy) || !document.hasFocus()) return;
      for (const { id, flags } of messages.peek()) {
        if (id < first || id > last || flags.includes('read') || asked.has(id)) continue;
        asked.add(id);
        waiting.add(id);
      }
      if (waiting.size > 0) timer ??= setTimeout(flush, WAIT_MS);
    },
    stop: () => {
      clearTimeout(timer);
      flush();
    },
  };
}
