import { foldCase } from '@bellhop/protocol';

interface MentionableUser {
  id: number;
  full_name: string;
  /** A mention of a deactivated user is silent. Default true. */
  is_active?: boolean;
}

interface MentionableGroup {
  id: number;
  name: string;
  /** A mention of a deactivated group is silent. Default false. */
  deactivated?: boolean;
}

export interface LinkableChannel {
  id: number;
  name: string;
}

/** Resolves the names in a message to users, groups and channels. */
export interface Directory {
  readonly user: (name: string, id?: number) => MentionableUser | undefined;
  readonly group: (name: string) => MentionableGroup | undefined;
  readonly channel: (name: string) => LinkableChannel | undefined;
}

export interface DirectoryRows {
  users?: readonly MentionableUser[];
  groups?: readonly MentionableGroup[];
  channels?: readonly LinkableChannel[];
}

type Find<T> = (name: string) => T | undefined;

/**
 * Prefers active rows, whose names others that are deactivated may still have, then an exact match to one
 * in another letter case; an ambiguous name has no match.
 */
function finder<T>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  isActive: (row: T) => boolean = () => true,
): Find<T> {
  const byLowerName = Map.groupBy(rows, (row) => foldCase(nameOf(row)));
  return (name) => {
    const namesakes = byLowerName.get(foldCase(name)) ?? [];
    const active = namesakes.filter(isActive);
    const alike = active.length > 0 ? active : namesakes;
    const exact = alike.filter((row) => nameOf(row) === name);
    const best = exact.length > 0 ? exact : alike;
    return best.length === 1 ? best[0] : undefined;
  };
}

/** Finds by name, and users also by id; a name beside an id must be the name of that user. */
export function directoryOf({ users = [], groups = [], channels = [] }: DirectoryRows): Directory {
  const usersById = new Map(users.map((user) => [user.id, user]));
  const userNamed = finder(
    users,
    (user) => user.full_name,
    ({ is_active = true }) => is_active,
  );
  return {
    user(name, id) {
      if (id === undefined) return userNamed(name);
      const user = usersById.get(id);
      return user && (name === '' || user.full_name === name) ? user : undefined;
    },
    group: finder(groups, (group) => group.name),
    channel: finder(channels, (channel) => channel.name),
  };
}
