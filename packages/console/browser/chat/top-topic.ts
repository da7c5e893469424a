/**
 * The topic to open of the topics of a channel, newest first: the first one with unread messages if such a one
 * is wanted and there is one, else the first. Undefined if the channel has none.
 */
export function topTopic(
  names: readonly string[],
  isWanted: (name: string) => boolean,
): string | undefined {
  return names.find(isWanted) ?? names[0];
}
