import type { LinkifierMatch } from '@bellhop/protocol';

import { compileLinkifier, type Rule } from './compile-linkifier.ts';

/** Milliseconds of processor time for all linkifiers on one text. The rest then stays without links. */
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
  const finders = rules.map(compiledOf);
  const matches: LinkifierMatch[] = [];
  const isOver = timeLimit();
  for (const find of finders) {
    if (isOver()) break;
    for (const match of find(text)) {
      if (!matches.some((other) => overlap(match, other))) matches.push(match);
      if (matches.length >= MAX_MATCHES || isOver()) return inOrder(matches);
    }
  }
  return inOrder(matches);
}

/** Whether the limit has passed since the call. A wait for the processor or a pause does not count. */
function timeLimit(): () => boolean {
  const start = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(start);
    return user + system > TIME_LIMIT_MS * 1000;
  };
}

const overlap = (a: LinkifierMatch, b: LinkifierMatch) =>
  a.index < b.index + b.text.length && b.index < a.index + a.text.length;
const inOrder = (matches: LinkifierMatch[]) => matches.sort((a, b) => a.index - b.index);
