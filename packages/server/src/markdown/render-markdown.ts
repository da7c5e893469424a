import type { Wildcard } from '@bellhop/protocol';

import type { Rule } from './compile-linkifier.ts';
import { directoryOf, type DirectoryRows } from './directory.ts';
import { findings } from './findings.ts';
import { messageParser } from './message-parser.ts';
import { newEnv } from './render-state.ts';
import { sanitize } from './sanitize.ts';

/** The rows of the names that `mentionNames` found, and settings of the rendering. */
export interface Lookups extends DirectoryRows {
  /** The wildcards that mention, default all; others stay text, as `@**topic**` in direct messages. */
  wildcards?: readonly Wildcard[];
  /** Host (and port) of the realm; links to its uploads by full URL count as attachments. */
  realmHost?: string;
  /** Language of code blocks that name none. Default: no language. */
  defaultLanguage?: string;
  /** Whether linked uploads of images are shown below their paragraphs. Default false. */
  previewsImages?: boolean;
  /** The linkifiers of the realm in their order. */
  linkifiers?: readonly Rule[];
  /** The active custom emoji of the realm: path of the image by name. */
  customEmoji?: ReadonlyMap<string, string>;
  /** Whether emoticons such as `:)` become emoji. Default false. */
  translatesEmoticons?: boolean;
}

export interface Rendered {
  html: string;
  /** Without silent mentions: these are in `silent_user_ids`. */
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
}

const parser = messageParser();

const noEmoji: ReadonlyMap<string, string> = new Map();

const isOneParagraph = (html: string) => html.startsWith('<p>') && html.endsWith('</p>');

/** Renders message Markdown to the HTML that API clients expect, and reports what it mentions and links. */
export function renderMarkdown(content: string, lookups: Lookups = {}): Rendered {
  const env = newEnv({
    directory: directoryOf(lookups),
    wildcards: lookups.wildcards ?? ['channel', 'topic'],
    linkifiers: lookups.linkifiers ?? [],
    customEmoji: lookups.customEmoji ?? noEmoji,
    translatesEmoticons: lookups.translatesEmoticons ?? false,
    quoted: false,
    outerLevel: 0,
    emoji: 0,
    formulas: 0,
    mathLength: 0,
    defaultLanguage: lookups.defaultLanguage ?? '',
    previewsImages: lookups.previewsImages ?? false,
    realmHost: lookups.realmHost,
  });
  const tokens = parser.parse(content.toWellFormed(), env);
  const html = sanitize(parser.renderer.render(tokens, parser.options, env)).trimEnd();
  return {
    html,
    ...findings(tokens, lookups.realmHost),
    is_me_message: content.startsWith('/me ') && isOneParagraph(html),
  };
}
