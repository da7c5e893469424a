import type { MarkdownIt } from 'markdown-it';

/** Permits http, https, mailto and paths on this server. */
function isAllowedLink(url: string): boolean {
  // Browsers ignore control characters and white space when they read the scheme.
  const text = url.replace(/[^!-\uffff]+/g, '');
  if (/^(?:https?:\/\/[^/]|mailto:.)/i.test(text)) return true;
  return /^(?:\/(?![/\\])|#)/.test(text);
}

/** Completes `zulip.com/help` by a scheme and `user_uploads/...` by a slash. */
function completeLink(url: string): string {
  if (url.startsWith('user_uploads/')) return `/${url}`;
  return /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d+)?(?:[/?#]|$)/i.test(url) ? `http://${url}` : url;
}

/** Country domains that are more often file name extensions. */
const looksLikeFile = /^[^/?#@]+\.(?:cc|md|pl|ps|py|rs|sh|so)$/i;

/** Sets which links a parser permits, and that bare domain names become links. */
export function setLinkPolicy(md: MarkdownIt): void {
  md.linkify.set({ fuzzyLink: true });
  const match = md.linkify.match.bind(md.linkify);
  md.linkify.match = (text) =>
    (match(text) ?? []).filter((link) => link.schema !== '' || !looksLikeFile.test(link.text));
  const normalize = md.normalizeLink.bind(md);
  md.normalizeLink = (url) => normalize(completeLink(url));
  md.validateLink = isAllowedLink;
}
