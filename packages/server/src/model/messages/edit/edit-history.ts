import { setImmediate } from 'node:timers/promises';

import {
  type EditHistoryEntry,
  type Message,
  type MessageSnapshot,
  type RealmState,
  shownTopic,
  type UserId,
} from '@bellhop/protocol';

type Policy = RealmState['realm_message_edit_history_visibility_policy'];

/** The entries of an edit history that the realm shows, newest first; undefined if there are none. */
export function visibleHistory(
  policy: Policy,
  history: readonly EditHistoryEntry[] | null,
): EditHistoryEntry[] | undefined {
  if (!history || policy === 'none') return undefined;
  const shown = policy === 'moves' ? history.flatMap(moveOf) : [...history];
  return shown.length === 0 ? undefined : shown;
}

/** An entry without the content it replaced; none if it changed only content. */
function moveOf(entry: EditHistoryEntry): EditHistoryEntry[] {
  const { prev_content: _content, prev_rendered_content: _rendered, ...move } = entry;
  return 'prev_topic' in move || 'prev_stream' in move ? [move] : [];
}

interface Topics {
  readonly topic?: string | undefined;
  readonly prev_topic?: string | undefined;
}

/** Replaces empty topics by their display name, unless the client allows empty topics. */
export const withShownTopics = <T extends Topics>(entry: T, allowEmpty: boolean): T => ({
  ...entry,
  ...(entry.topic === undefined ? {} : { topic: shownTopic(entry.topic, allowEmpty) }),
  ...(entry.prev_topic === undefined
    ? {}
    : { prev_topic: shownTopic(entry.prev_topic, allowEmpty) }),
});

export const withShownHistory = (message: Message, allowEmpty: boolean): Message =>
  message.edit_history
    ? {
        ...message,
        edit_history: message.edit_history.map((entry) => withShownTopics(entry, allowEmpty)),
      }
    : message;

interface CurrentVersion {
  readonly sender_id: UserId;
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly sent_at: number;
}

/**
 * The versions of a message, oldest first, beginning with the original (spec, Message-history
 * snapshot). `history` is its visible part, newest first.
 */
export async function snapshots(
  { sent_at, sender_id, ...current }: CurrentVersion,
  history: readonly EditHistoryEntry[],
): Promise<MessageSnapshot[]> {
  let { topic, content, rendered_content } = current;
  const found: MessageSnapshot[] = [];
  const { htmlDiff } = await import('../../../markdown/html-diff.ts');
  for (const entry of history) {
    const { prev_rendered_content: before } = entry;
    // Comparing the versions of a long history takes long: let other requests run in between.
    if (before !== undefined) await setImmediate();
    found.push({
      ...entry,
      topic,
      content,
      rendered_content,
      ...(before === undefined ? {} : { content_html_diff: htmlDiff(before, rendered_content) }),
    });
    topic = entry.prev_topic ?? topic;
    content = entry.prev_content ?? content;
    rendered_content = before ?? rendered_content;
  }
  const original = { topic, content, rendered_content, timestamp: sent_at, user_id: sender_id };
  return [...found, original].toReversed();
}
