import type { Rule } from './compile-linkifier.ts';
import { findLinkifierMatches } from './find-linkifier-matches.ts';
import { messageParser } from './message-parser.ts';

export interface TopicLink {
  text: string;
  url: string;
}

const parser = messageParser();

/**
 * The links in a topic in their order: `topic_links` of messages. Where a linkifier and an address
 * overlap, the linkifier wins.
 */
export function topicLinks(topic: string, linkifiers: readonly Rule[]): TopicLink[] {
  const matches = linkifiers.length === 0 ? [] : findLinkifierMatches(linkifiers, topic);
  const isFree = ({ index, lastIndex }: { index: number; lastIndex: number }) =>
    matches.every((match) => lastIndex <= match.index || index >= match.index + match.text.length);
  const addresses = (/[.:]/.test(topic) ? (parser.linkify.match(topic) ?? []) : [])
    .filter((link) => link.schema !== 'mailto:' && isFree(link))
    .map(({ index, schema, text }) => ({
      index,
      text,
      url: schema === '' ? `https://${text}` : text,
    }))
    .filter(({ url }) => parser.validateLink(url));
  return [...matches, ...addresses]
    .sort((a, b) => a.index - b.index)
    .map(({ text, url }) => ({ text, url }));
}
