import type { LinkifierMatch } from '@bellhop/protocol';

import { compileLinkifier, type Rule } from './compile-linkifier.ts';

/** Milliseconds for all linkifiers on one text. The rest of the text then stays without links. */
const TIME_LIMIT_MS = 50;
const MAX_MATCHES = 500;
const MAX_COMPILED = 2000;

/** Compiled linkifiers by pattern and template: compiling one takes about a millisecond. */
const compiled = new Map<string, ReturnType<typeof compileLinkifier>>();

function compiledOf(rule: Rule): ReturnType<typeof compileLinkifier> {
  const key = JSON.stringify([rule.pattern, rule.url_template]);
  const known = compiled.get(key);
  if (known) return known;
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  const find = compileLinkifier(rule);
  compiled.set(key, find);
  return find;
}

/**
 * The texts that linkifiers turn into links, in their order. Where two linkifiers match overlapping
 * texts, the first one in the list wins.
 */
export function findLinkifierMatches(rules: readonly Rule[], text: string): LinkifierMatch[] {
  const matches: LinkifierMatch[] = [];
  const stopAt = performance.now() + TIME_LIMIT_MS;
  for (const rule of rules) {
    if (performance.now() > stopAt) break;
    for (const match of compiledOf(rule)(text)) {
      if (!matches.some((other) => overlap(match, other))) matches.push(match);
      if (matches.length >= MAX_MATCHES || performance.now() > stopAt) return inOrder(matches);
    }
  }
  return inOrder(matches);
}

const overlap = (a: LinkifierMatch, b: LinkifierMatch) =>
  a.index < b.index + b.text.length && b.index < a.index + a.text.length;
const inOrder = (matches: LinkifierMatch[]) => matches.sort((a, b) => a.index - b.index);
