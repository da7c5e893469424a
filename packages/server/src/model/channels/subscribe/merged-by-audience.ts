import type { UserId } from '@bellhop/protocol';

/** The items of an event for an audience. */
export interface AudienceItems<T> {
  readonly audience: readonly UserId[];
  /** The users that a peer_add or peer_remove names. */
  readonly about: readonly UserId[];
  readonly items: readonly T[];
}

/** Merges items with the same audience and the same users into one event. */
export function mergedByAudience<T>(events: readonly AudienceItems<T>[]): AudienceItems<T>[] {
  const groups = Map.groupBy(
    events.filter(({ audience }) => audience.length > 0),
    ({ audience, about }) => `${audience.join()};${about.join()}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, items: group.flatMap(({ items }) => items) }] : [];
  });
}
