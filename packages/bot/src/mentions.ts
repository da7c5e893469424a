import { foldCase, nameAndId, visibleText, wildcardOf } from '@bellhop/protocol/plain';

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

/** A mention in the HTML of a message. */
interface RenderedMention {
  readonly id: number;
  readonly name: string;
  readonly isSilent: boolean;
}

const MENTION = /<span class="user-mention( silent)?" data-user-id="(\d{1,15})">@?([^<]*)<\/span>/g;

/** The mentions of users in the HTML of a message. */
export function mentionsIn(html: string): RenderedMention[] {
  const found: RenderedMention[] = [];
  MENTION.lastIndex = 0;
  for (let one = MENTION.exec(html); one !== null; one = MENTION.exec(html)) {
    const [, silent, id, name = ''] = one;
    found.push({ id: Number(id), name: plain(name), isSilent: silent !== undefined });
  }
  return found;
}

/** Whether two names of users differ at most in letter case. */
export const isSameName = (one: string, other: string): boolean =>
  one === other || foldCase(one) === foldCase(other);

/** Finds the IDs of mentioned users in the HTML of a message. */
export const mentionIds =
  (html: string): MentionIds =>
  (fullName) => {
    const named = mentionsIn(html).filter(({ name }) => isSameName(name, fullName));
    const ids = new Set(named.map(({ id }) => id));
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
  // Almost no name has one.
  !html.includes('&')
    ? html
    : html.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (one) => ENTITIES[one] ?? one);

/** A linked channel, such as `#**general**`. */
export interface MentionedChannel {
  readonly name: string;
}

/** The user of a mention or silent mention; undefined for wildcard mentions and other texts. */
export function mentionedUser(text: string, ids?: MentionIds): MentionedUser | undefined {
  const mentioned = /^@_?\*\*([^*]+)\*\*$/.exec(visibleText(text))?.[1];
  if (mentioned === undefined || wildcardOf(mentioned) !== undefined) return undefined;
  const { name, id } = nameAndId(mentioned);
  return { fullName: name, id: id ?? ids?.(name) };
}

/** The channel of a link such as `#**two words**` or, for a name of one word, `#general`. */
export function mentionedChannel(text: string): MentionedChannel | undefined {
  const word = visibleText(text).replace('＃', '#');
  const linked = /^#\*\*([^*>]+)\*\*$/.exec(word)?.[1];
  const name = linked ?? /^#([^\s#*>]+)$/.exec(word)?.[1];
  return name === undefined ? undefined : { name };
}
