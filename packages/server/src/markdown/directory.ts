export interface MentionableUser {
  id: number;
  full_name: string;
  /** A mention of a deactivated user is silent. Default true. */
  is_active?: boolean;
}

export interface MentionableGroup {
  id: number;
  name: string;
  /** A mention of a deactivated group is silent. Default false. */
  deactivated?: boolean;
}

export interface LinkableChannel {
  id: number;
  name: string;
}

/** Who and what the names in a message stand for. */
export interface Directory {
  user(name: string, id?: number): MentionableUser | undefined;
  group(name: string): MentionableGroup | undefined;
  channel(name: string): LinkableChannel | undefined;
}

export interface DirectoryRows {
  users?: readonly MentionableUser[];
  groups?: readonly MentionableGroup[];
  channels?: readonly LinkableChannel[];
}

/** An exact match wins over one that differs in case; two equally good ones are no match. */
function unique<T>(rows: readonly T[], nameOf: (row: T) => string, name: string): T | undefined {
  const lower = name.toLowerCase();
  const alike = rows.filter((row) => nameOf(row).toLowerCase() === lower);
  const exact = alike.filter((row) => nameOf(row) === name);
  const best = exact.length > 0 ? exact : alike;
  return best.length === 1 ? best[0] : undefined;
}

/** Answers by name, and for users by id: a name given beside an id must be that user's own. */
export function directoryOf({ users = [], groups = [], channels = [] }: DirectoryRows): Directory {
  const usersById = new Map(users.map((user) => [user.id, user]));
  return {
    user(name, id) {
      if (id === undefined) return unique(users, (user) => user.full_name, name);
      const user = usersById.get(id);
      return user && (name === '' || user.full_name === name) ? user : undefined;
    },
    group: (name) => unique(groups, (group) => group.name, name),
    channel: (name) => unique(channels, (channel) => channel.name, name),
  };
}
