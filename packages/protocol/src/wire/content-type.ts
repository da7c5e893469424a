/** The media type of a Content-Type in lower case, without its parameters; empty without one. */
export const mediaType = (contentType = ''): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase();

const PARAMETER = /;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/** A parameter of a header such as Content-Type, unquoted; the first of several, undefined if there is none. */
export function headerParameter(header: string, wanted: string): string | undefined {
  // Most headers have none, and each delivery and request asks.
  if (!header.includes(';')) return undefined;
  for (const [, name = '', quoted, bare = ''] of header.matchAll(PARAMETER))
    if (name.toLowerCase() === wanted) return quoted?.replaceAll(/\\(.)/g, '$1') ?? bare.trim();
  return undefined;
}

/**
 * The charset that a Content-Type declares; empty if it declares none. Apostrophes around it,
 * which some programs write for quotes, are no part of it, nor is a second Content-Type that was joined to it.
 */
export const declaredCharset = (contentType = ''): string =>
  headerParameter(contentType, 'charset')
    ?.replace(/,.*/, '')
    .trim()
    .replace(/^'(.*)'$/, '$1') ?? '';

/** Whether a declared charset is UTF-8, or ASCII, which is a part of it. Text without one is UTF-8. */
export const isUtf8Name = (charset: string): boolean =>
  charset === '' || /^(utf[-_]?8|(us[-_]?)?ascii)$/i.test(charset);
