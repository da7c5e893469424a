import { messageParser } from './message-parser.ts';

export interface TopicLink {
  text: string;
  url: string;
}

const parser = messageParser();

/** The links in a topic in their order: `topic_links` of messages. */
export function topicLinks(topic: string): TopicLink[] {
  if (!/[.:]/.test(topic)) return [];
  const links = parser.linkify.match(topic) ?? [];
  return links
    .filter(({ schema }) => schema !== 'mailto:')
    .map(({ schema, text }) => ({ text, url: schema === '' ? `https://${text}` : text }))
    .filter(({ url }) => parser.validateLink(url));
}
