import type { Token } from 'markdown-it';

import { mentionOf, type Mention } from './mention-rule.ts';
import { isImage, uploadPath } from './upload-link.ts';

/** The mentions, links and uploads in the tokens of a message. */
export function findings(tokens: readonly Token[], realmHost?: string) {
  const inline = tokens.flatMap((token) => token.children ?? []);
  const mentions = inline
    .filter((token) => token.type === 'mention')
    .map((token) => mentionOf(token.meta));
  const links = inline.filter((token) => token.type === 'link_open').map(hrefOf);
  const uploads = [...new Set(links.flatMap((href) => uploadPath(href, realmHost) ?? []))];
  return {
    mentioned_user_ids: idsOf(mentions, 'user', false),
    silent_user_ids: idsOf(mentions, 'user', true),
    mentioned_group_ids: idsOf(mentions, 'group', false),
    silent_group_ids: idsOf(mentions, 'group', true),
    channel_wildcard: mentions.some((mention) => notifiesAll(mention, 'channel')),
    topic_wildcard: mentions.some((mention) => notifiesAll(mention, 'topic')),
    has_link: links.length > 0 || inline.some((token) => token.type === 'channel_link'),
    has_image: links.some(isImage),
    has_attachment: uploads.length > 0,
    attachment_paths: uploads,
  };
}

const hrefOf = (token: Token) => String(token.attrGet('href') ?? '');

function idsOf(mentions: readonly Mention[], kind: 'user' | 'group', silent: boolean): number[] {
  const ids = mentions.flatMap((mention) =>
    mention.kind === kind && mention.silent === silent ? [mention.id] : [],
  );
  return [...new Set(ids)];
}

const notifiesAll = (mention: Mention, wildcard: 'channel' | 'topic') =>
  mention.kind === 'wildcard' && mention.wildcard === wildcard && !mention.silent;
