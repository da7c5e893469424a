/** A mentioned user, such as `@**Ann Lee|12**`. */
export interface MentionedUser {
  /** Empty if the mention has only an ID, as in `@**|12**`. */
  readonly full_name: string;
  /** Undefined if the mention has no ID. Clients add the ID where two users share a name. */
  readonly user_id: number | undefined;
}

/** A linked channel, such as `#**general**`. */
export interface MentionedChannel {
  readonly name: string;
}

const WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);

/** The user of a mention or silent mention; undefined for wildcard mentions and other texts. */
export function mentionedUser(text: string): MentionedUser | undefined {
  const name = /^@_?\*\*([^*]+)\*\*$/.exec(text)?.[1];
  if (name === undefined) return undefined;
  const bar = name.lastIndexOf('|');
  const id = name.slice(bar + 1);
  if (bar >= 0 && /^\d{1,15}$/.test(id)) {
    return { full_name: name.slice(0, bar), user_id: Number(id) };
  }
  return WILDCARDS.has(name) ? undefined : { full_name: name, user_id: undefined };
}

/** The channel of a link such as `#**two words**` or, for a name of one word, `#general`. */
export function mentionedChannel(text: string): MentionedChannel | undefined {
  const linked = /^#\*\*([^*>]+)\*\*$/.exec(text)?.[1];
  const name = linked ?? /^#([^\s#*>]+)$/.exec(text)?.[1];
  return name === undefined ? undefined : { name };
}
