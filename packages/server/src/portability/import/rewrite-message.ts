import { foldCase } from '@bellhop/protocol';
import { parseDocument } from 'htmlparser2';

import type { DirectoryRows } from '../../markdown/directory.ts';
import { mentionNames } from '../../markdown/mention-names.ts';
import { uploadPath } from '../../markdown/upload-link.ts';

/** What the IDs and addresses in the texts of some messages became. */
export interface Renamed {
  readonly users: ReadonlyMap<number, number>;
  readonly groups: ReadonlyMap<number, number>;
  readonly channels: ReadonlyMap<number, number>;
  readonly messages: ReadonlyMap<number, number>;
  /** Paths below /user_uploads/. */
  readonly files: ReadonlyMap<string, string>;
  /** The URLs of the organization before and now. */
  readonly formerUrl: string | undefined;
  readonly url: string;
}

/** IDs and addresses in a text, to look up what they became. */
export interface Named {
  readonly users: number[];
  readonly groups: number[];
  readonly channels: number[];
  readonly messages: number[];
  readonly files: string[];
}

const NARROW = /#narrow\/[^\s)\]"'<>]+/g;
const UPLOAD = /\/user_uploads\/[^\s)\]"'<>]+/g;
/** `@**Name|12**` and `#**channel>topic@17**`. */
const MENTION = /(@_?\*\*[^*\n]{0,180}\|)(\d{1,10})(?=\*\*)/g;
const PERMALINK = /(#\*\*[^*\n]{1,180}>[^*\n]{1,180}@)(\d{1,15})(?=\*\*)/g;
const CHANNEL_IN_LINK = /#narrow\/(?:channel|stream)\/(\d{1,15})/g;
const DATA_ID = / data-(user|stream|user-group)-id="(\d{1,15})"/g;

/** The IDs and addresses in the Markdown and the HTML of a message. */
export function namedIn(content: string, html: string): Named {
  const named: Named = { users: [], groups: [], channels: [], messages: [], files: [] };
  for (const [, , id] of content.matchAll(MENTION)) named.users.push(Number(id));
  for (const [, , id] of content.matchAll(PERMALINK)) named.messages.push(Number(id));
  for (const [, kind, id] of html.matchAll(DATA_ID))
    (kind === 'user' ? named.users : kind === 'stream' ? named.channels : named.groups).push(
      Number(id),
    );
  // A link to a message names its channel in its address only.
  for (const [, id] of html.matchAll(CHANNEL_IN_LINK)) named.channels.push(Number(id));
  for (const [link] of content.matchAll(NARROW)) {
    for (const [, id] of link.matchAll(/\/(?:channel|stream)\/(\d{1,15})/g))
      named.channels.push(Number(id));
    for (const [, id] of link.matchAll(/\/(?:near|with|id)\/(\d{1,15})/g))
      named.messages.push(Number(id));
    for (const [, ids = ''] of link.matchAll(/\/(?:dm|pm-with|sender)\/([\d,]{1,1000})/g))
      named.users.push(...ids.split(',').map(Number));
  }
  for (const [link] of content.matchAll(UPLOAD)) named.files.push(...pathsIn(link));
  return named;
}

/** The path of a file in a link, whose end may be a sign of the sentence. */
function pathsIn(link: string): string[] {
  const path = uploadPath(link, undefined);
  const shorter = uploadPath(link.replace(/[.,;:!?]+$/, ''), undefined);
  return [...new Set([path, shorter])].filter((one) => one !== undefined);
}

/** Markdown with the IDs and addresses of now. Links to other servers stay as they are. */
export function rewriteContent(content: string, renamed: Renamed): string {
  const swap =
    (map: ReadonlyMap<number, number>) =>
    (whole: string, before: string, id: string): string => {
      const now = map.get(Number(id));
      return now === undefined ? whole : `${before}${now}`;
    };
  const own = renamed.formerUrl === undefined ? content : withoutFormerUrl(content, renamed);
  const mentions = own
    .replace(MENTION, swap(renamed.users))
    .replace(PERMALINK, swap(renamed.messages));
  const links = mentions.replace(NARROW, (link, at: number) =>
    isElsewhere(mentions, at, renamed.url) ? link : rewriteNarrow(link, renamed),
  );
  return links.replace(UPLOAD, (link, at: number) =>
    isElsewhere(links, at, renamed.url) ? link : rewriteUpload(link, renamed),
  );
}

function rewriteUpload(link: string, { files }: Renamed): string {
  const ending = link.slice(link.replace(/[.,;:!?]+$/, '').length);
  for (const path of pathsIn(link)) {
    const now = files.get(path);
    if (now !== undefined) return `/user_uploads/${now}${path.endsWith(ending) ? '' : ending}`;
  }
  return link;
}

/** Whether the link at a place belongs to an address of another server: `https://other.example/#narrow/...`. */
function isElsewhere(text: string, at: number, url: string): boolean {
  const before = /https?:\/\/[^\s()<>[\]"']*$/.exec(text.slice(Math.max(0, at - 300), at));
  return before !== null && !before[0].startsWith(url);
}

const withoutFormerUrl = (content: string, { formerUrl = '', url }: Renamed) =>
  content
    .replaceAll(`${formerUrl}/#narrow/`, `${url}/#narrow/`)
    .replaceAll(`${formerUrl}/user_uploads/`, `${url}/user_uploads/`);

function rewriteNarrow(link: string, { users, channels, messages }: Renamed): string {
  const now = (map: ReadonlyMap<number, number>) => (_whole: string, before: string, id: string) =>
    `${before}${map.get(Number(id)) ?? id}`;
  return link
    .replace(/(\/(?:channel|stream)\/)(\d{1,15})/g, now(channels))
    .replace(/(\/(?:near|with|id)\/)(\d{1,15})/g, now(messages))
    .replace(
      /(\/(?:dm|pm-with|sender)\/)([\d,]{1,1000})/g,
      (_whole, before: string, ids: string) => {
        const mapped = ids.split(',').map((id) => users.get(Number(id)) ?? id);
        return `${before}${mapped.join(',')}`;
      },
    );
}

/**
 * What the names in a message stood for when it was rendered: people, channels and groups may have other
 * names since. Names that had no meaning get none.
 */
export function namesAsRendered(content: string, html: string, renamed: Renamed): DirectoryRows {
  const names = mentionNames(content);
  const channelNames = [...names.channel_names];
  const users: { id: number; full_name: string; is_active: boolean }[] = [];
  const groups: { id: number; name: string; deactivated: boolean }[] = [];
  const channels: { id: number; name: string }[] = [];
  for (const { attributes, text } of tagsIn(html)) {
    const silent = / silent/.test(attributes['class'] ?? '');
    const bare = text.replace(/^@/, '');
    const user = renamed.users.get(Number(attributes['data-user-id']));
    if (user !== undefined) users.push({ id: user, full_name: bare, is_active: !silent });
    const group = renamed.groups.get(Number(attributes['data-user-group-id']));
    if (group !== undefined) groups.push({ id: group, name: bare, deactivated: silent });
    const channel = renamed.channels.get(channelOf(attributes) ?? -1);
    if (channel !== undefined) {
      const shown = foldCase(text.replace(/^#/, ''));
      const name = channelNames.find(
        (one) => shown === foldCase(one) || shown.startsWith(foldCase(`${one} > `)),
      );
      if (name !== undefined) channels.push({ id: channel, name });
    }
  }
  const unique = <Row extends { id: number }>(rows: readonly Row[]) => [
    ...new Map(rows.map((row) => [row.id, row])).values(),
  ];
  // Of two mentions of one person, one that notifies decides.
  const bySound = users.toSorted((a, b) => Number(a.is_active) - Number(b.is_active));
  return { users: unique(bySound), groups: unique(groups), channels: unique(channels) };
}

function channelOf(attributes: Tag['attributes']): number | undefined {
  const id = attributes['data-stream-id'];
  if (id !== undefined) return Number(id);
  if (!attributes['class']?.includes('message-link')) return undefined;
  const [, named] = /#narrow\/(?:channel|stream)\/(\d{1,15})/.exec(attributes['href'] ?? '') ?? [];
  return named === undefined ? undefined : Number(named);
}

interface Tag {
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The mentions and channel links in HTML, which is only read, never stored. */
function tagsIn(html: string): Tag[] {
  if (!/ data-(?:user|stream|user-group)-id=|message-link/.test(html)) return [];
  const found: Tag[] = [];
  const visit = (nodes: readonly unknown[]): string =>
    (nodes as readonly HtmlNode[])
      .map((node) => {
        const text = node.type === 'text' ? (node.data ?? '') : visit(node.children ?? []);
        if (node.attribs) found.push({ attributes: node.attribs, text });
        return text;
      })
      .join('');
  visit(parseDocument(html).children);
  return found;
}
interface HtmlNode {
  readonly type: string;
  readonly data?: string;
  readonly attribs?: Record<string, string>;
  readonly children?: readonly unknown[];
}
