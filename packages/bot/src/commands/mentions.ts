/** A user that was mentioned, as `@**Ann Lee|12**`. */
export interface MentionedUser {
  /** Empty when the mention gives the id only, as `@**|12**`. */
  readonly full_name: string;
  /** Given when the mention says it, as clients do where two users share a name. */
  readonly user_id: number | undefined;
}

/** A channel that was linked to, as `#**general**`. */
export interface MentionedChannel {
  readonly name: string;
}

const WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);

/** The user of a mention, also of a silent one; undefined for everyone and other texts. */
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

/** The channel of a link; `#general` is understood where the name is one word. */
export function mentionedChannel(text: string): MentionedChannel | undefined {
  const linked = /^#\*\*([^*>]+)\*\*$/.exec(text)?.[1];
  const name = linked ?? /^#([^\s#*>]+)$/.exec(text)?.[1];
  return name === undefined ? undefined : { name };
}
