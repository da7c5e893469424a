import type { AlertWords } from './alert-words.ts';
import { directoryOf, type DirectoryRows } from './directory.ts';
import { findings } from './findings.ts';
import { messageParser } from './message-parser.ts';
import { plainParagraph } from './plain-paragraph.ts';
import { newEnv } from './render-state.ts';
import { sanitize } from './sanitize.ts';

/** Rows for the names that `mentionNames` gave, and what else the rendering depends on. */
export interface Lookups extends DirectoryRows {
  /** Default true. Where there is no topic, as in direct messages, `@**topic**` is text. */
  topicWildcardAllowed?: boolean;
  alertWords?: AlertWords;
  /** Host (and port) of the realm; links to its uploads by full URL count as attachments. */
  realmHost?: string;
}

export interface Rendered {
  html: string;
  /** Mentioned so that they are notified; silent mentions stand apart. */
  mentioned_user_ids: readonly number[];
  silent_user_ids: readonly number[];
  mentioned_group_ids: readonly number[];
  silent_group_ids: readonly number[];
  channel_wildcard: boolean;
  topic_wildcard: boolean;
  is_me_message: boolean;
  has_link: boolean;
  has_image: boolean;
  has_attachment: boolean;
  /** Paths of linked uploads, without `/user_uploads/`. */
  attachment_paths: readonly string[];
  /** The given alert words that occur in the text. */
  alert_words: readonly string[];
}

const nothingFound = {
  mentioned_user_ids: [],
  silent_user_ids: [],
  mentioned_group_ids: [],
  silent_group_ids: [],
  channel_wildcard: false,
  topic_wildcard: false,
  has_link: false,
  has_image: false,
  has_attachment: false,
  attachment_paths: [],
} as const;

const parser = messageParser();

const isOneParagraph = (html: string) => html.startsWith('<p>') && html.endsWith('</p>');

/** Message Markdown to the HTML that API clients expect, and what was found on the way. */
export function renderMarkdown(content: string, lookups: Lookups = {}): Rendered {
  const html = plainParagraph(content);
  if (html === undefined) return renderInFull(content, lookups);
  const alertWords = lookups.alertWords?.foundIn(content) ?? [];
  return { html, ...nothingFound, is_me_message: false, alert_words: alertWords };
}

/** The same without the short way for plain text. */
export function renderInFull(content: string, lookups: Lookups = {}): Rendered {
  const env = newEnv({
    directory: directoryOf(lookups),
    topicWildcardAllowed: lookups.topicWildcardAllowed ?? true,
    quoted: false,
    outerLevel: 0,
    emoji: 0,
  });
  const tokens = parser.parse(content.toWellFormed(), env);
  const html = sanitize(parser.renderer.render(tokens, parser.options, env)).trimEnd();
  return {
    html,
    ...findings(tokens, lookups.realmHost),
    is_me_message: content.startsWith('/me ') && isOneParagraph(html),
    alert_words: lookups.alertWords?.foundIn(content) ?? [],
  };
}
