/** A mentioned user, such as `@**Ann Lee|12**`. */
export interface MentionedUser {
  /** Empty if the mention has only an ID, as in `@**|12**`. */
  readonly fullName: string;
  /**
   * Undefined if the ID is unknown: the text does not name it, and the server did not render a
   * mention. `ctx.user` looks the user up then.
   */
  readonly id: number | undefined;
}

/** Returns the ID of the user whom a message mentions by this name; undefined if that is not known. */
export type MentionIds = (fullName: string) => number | undefined;

const MENTION =
  /<span class="user-mention(?: silent)?" data-user-id="(\d{1,15})">@?([^<]*)<\/span>/g;

/** Finds the IDs of mentioned users in the HTML of a message. */
export const mentionIds =
  (html: string): MentionIds =>
  (fullName) => {
    const named = [...html.matchAll(MENTION)].filter(([, , name = '']) => plain(name) === fullName);
    const ids = new Set(named.map(([, id]) => Number(id)));
    return ids.size === 1 ? [...ids][0] : undefined;
  };

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};
const plain = (html: string) =>
  html.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (one) => ENTITIES[one] ?? one);

/** A linked channel, such as `#**general**`. */
export interface MentionedChannel {
  readonly name: string;
}

const WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);

/** The user of a mention or silent mention; undefined for wildcard mentions and other texts. */
export function mentionedUser(text: string, ids?: MentionIds): MentionedUser | undefined {
  const name = /^@_?\*\*([^*]+)\*\*$/.exec(text)?.[1];
  if (name === undefined) return undefined;
  const bar = name.lastIndexOf('|');
  const id = name.slice(bar + 1);
  if (bar >= 0 && /^\d{1,15}$/.test(id)) {
    return { fullName: name.slice(0, bar), id: Number(id) };
  }
  return WILDCARDS.has(name) ? undefined : { fullName: name, id: ids?.(name) };
}

/** The channel of a link such as `#**two words**` or, for a name of one word, `#general`. */
export function mentionedChannel(text: string): MentionedChannel | undefined {
  const linked = /^#\*\*([^*>]+)\*\*$/.exec(text)?.[1];
  const name = linked ?? /^#([^\s#*>]+)$/.exec(text)?.[1];
  return name === undefined ? undefined : { name };
}
