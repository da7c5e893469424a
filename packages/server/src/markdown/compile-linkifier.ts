import { createRequire } from 'node:module';

import type { Linkifier, LinkifierMatch } from '@bellhop/protocol';
import type { RE2JS } from 're2js';
import { parseTemplate } from 'url-template';

const require = createRequire(import.meta.url);

/** Yields the matches in a text in their order. */
type FindMatches = (text: string) => Iterable<LinkifierMatch>;
export type Rule = Pick<Linkifier, 'pattern' | 'url_template'>;

/**
 * The text that may precede a match: `(#12),` has a match of `#12`, `a#12` and `#12a` have none.
 */
const BEFORE = String.raw`(^|[\s\x{85}\pZ'"(,:<])`;
const AFTER = String.raw`($|[^\pL\pN])`;
const WHOLE_MATCH = 2;

/**
 * A pattern between the texts that may precede and follow a match. Throws the error of re2js for an
 * invalid one.
 */
export const compilePattern = (pattern: string): RE2JS =>
  compileRegExp(`${BEFORE}(${pattern})${AFTER}`);

/** Compiles a regular expression. The package, which is large, is loaded by the first one. */
export const compileRegExp = (expression: string): RE2JS =>
  (require('re2js') as typeof import('re2js')).RE2JS.compile(expression);

/** Compiles a valid linkifier. Its matches whose expanded template is no web address are left out. */
export function compileLinkifier({ pattern, url_template }: Rule): FindMatches {
  const expression = compilePattern(pattern);
  const names = Object.keys(expression.namedGroups());
  const template = parseTemplate(url_template);
  const hostOfTemplate = fixedHost(url_template);
  return function* matchesIn(text) {
    if (!expression.test(text)) return;
    const matcher = expression.matcher(text);
    for (let at = 0; at <= text.length && matcher.find(at);) {
      const index = matcher.start(WHOLE_MATCH);
      const end = matcher.end(WHOLE_MATCH);
      const groups = names.flatMap((name) => {
        const value = matcher.group(name);
        return value === null ? [] : [[name, value]];
      });
      const url = webAddress(template.expand(Object.fromEntries(groups)), hostOfTemplate);
      if (url !== undefined && end > index) yield { index, text: text.slice(index, end), url };
      at = Math.max(end, at + 1);
    }
  };
}

/** The host of a template, if no variable is in it. */
function fixedHost(template: string): string | undefined {
  const [, host = '', variable] = /^https?:\/\/([^/?#{]*)(\{\w)?/i.exec(template) ?? [];
  return variable === undefined ? URL.parse(`http://${host}`)?.host : undefined;
}

/** The text of a message must not lead a link to another host than the administrator named. */
function webAddress(address: string, host: string | undefined): string | undefined {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined;
  return host !== undefined && url.host !== host ? undefined : address;
}
