import type { MarkdownIt } from 'markdown-it';

/** What a link may lead to: http, https, mailto, or a place on this server. */
function isAllowedLink(url: string): boolean {
  // Browsers drop control characters and white space before they look for a scheme.
  const text = url.replace(/[^!-\uffff]+/g, '');
  if (/^(?:https?:\/\/[^/]|mailto:.)/i.test(text)) return true;
  return /^(?:\/(?![/\\])|#)/.test(text);
}

/** `zulip.com/help` and `user_uploads/...` get what they lack; the rest is left alone. */
function completeLink(url: string): string {
  if (url.startsWith('user_uploads/')) return `/${url}`;
  return /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d+)?(?:[/?#]|$)/i.test(url) ? `http://${url}` : url;
}

/** Country domains that are file name extensions far more often. */
const looksLikeFile = /^[^/?#@]+\.(?:cc|md|pl|ps|py|rs|sh|so)$/i;

/** Makes a parser link what may be linked, and bare domain names among it. */
export function setLinkPolicy(md: MarkdownIt): void {
  md.linkify.set({ fuzzyLink: true });
  const match = md.linkify.match.bind(md.linkify);
  md.linkify.match = (text) =>
    (match(text) ?? []).filter((link) => link.schema !== '' || !looksLikeFile.test(link.text));
  const normalize = md.normalizeLink.bind(md);
  md.normalizeLink = (url) => normalize(completeLink(url));
  md.validateLink = isAllowedLink;
}
