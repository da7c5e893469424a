import { z } from 'zod';

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
/** What ends a host in a URL, and what a URL parser removes or decodes. */
const NOT_OF_A_HOST = /[\s\p{Cc}/\\?#@%*<>^|`{}"]/u;

/**
 * The one form of a host name or address with an optional port: lower case, punycode, without a final dot
 * and without the default port of the scheme. Undefined if the text is none.
 */
export function normalHost(text: string, scheme: 'http' | 'https' = 'https'): string | undefined {
  if (NOT_OF_A_HOST.test(text)) return undefined;
  const url = URL.parse(`${scheme}://${text}/`);
  if (!url || url.port === '0' || text.endsWith(':')) return undefined;
  const hostname = url.hostname.replace(/\.$/, '');
  const isAddress = hostname.startsWith('[');
  if (
    !isAddress &&
    (hostname.length > 253 || !hostname.split('.').every((part) => LABEL.test(part)))
  )
    return undefined;
  return url.port === '' ? hostname : `${hostname}:${url.port}`;
}

const NO_HOST = 'must be a host name, optionally with a port, without a path';

/** A host name as people and programs write it; read in its one form. */
export const HostName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^/\s\p{Cc}]+$/u, NO_HOST)
  .transform((text, context) => {
    const host = normalHost(text);
    if (host !== undefined) return host;
    context.addIssue(NO_HOST);
    return z.NEVER;
  });
