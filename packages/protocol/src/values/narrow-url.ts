/** Percent encoding with `.` for `%`, as in the fragment of a narrow's URL. */
function encodeForHash(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[.!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}

/** The site-relative URL of a channel, a topic or a message. */
export function narrowUrl(
  channel: { readonly id: number; readonly name: string },
  topic?: string,
  messageId?: number,
): string {
  const base = `/#narrow/channel/${channel.id}-${encodeForHash(channel.name.replaceAll(' ', '-'))}`;
  if (topic === undefined) return base;
  const near = messageId === undefined ? '' : `/near/${messageId}`;
  return `${base}/topic/${encodeForHash(topic)}${near}`;
}

/** The site-relative URL of a message in a direct conversation between these users. */
export const directUrl = (userIds: readonly number[], messageId: number): string =>
  `/#narrow/dm/${userIds.join(',')}-${userIds.length > 2 ? 'group' : 'dm'}/near/${messageId}`;
