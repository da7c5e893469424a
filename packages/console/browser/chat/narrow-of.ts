import type { NarrowTerm } from '@bellhop/protocol';

import type { View } from './view.ts';

/** The narrow that fetches the messages of a view. */
export function narrowOf(view: View): NarrowTerm[] {
  switch (view.kind) {
    case 'all':
      return [];
    case 'mentions':
      return [term('is', 'mentioned')];
    case 'starred':
      return [term('is', 'starred')];
    case 'channel':
      return [term('channel', view.channel)];
    case 'topic':
      return [term('channel', view.channel), term('topic', view.topic)];
    case 'direct':
      return [term('dm', [...view.users])];
    case 'search':
      return searchTerms(view.text);
  }
}

const term = (operator: string, operand: NarrowTerm['operand'], negated = false): NarrowTerm => ({
  operator,
  operand,
  negated,
});

const operators = new Set([
  'channel',
  'channels',
  'dm',
  'dm-including',
  'from',
  'has',
  'id',
  'in',
  'is',
  'near',
  'sender',
  'stream',
  'topic',
  'with',
  'mentions',
]);

/**
 * The terms of a search: `is:starred -sender:ada@x.org channel:"on call" words`. Words without an
 * operator are searched in the text.
 */
function searchTerms(text: string): NarrowTerm[] {
  const words: string[] = [];
  const terms: NarrowTerm[] = [];
  for (const [whole, minus, operator = '', quoted, plain] of text.matchAll(
    /(-?)(?:([a-z-]+):)?(?:"([^"]*)"|(\S+))/g,
  )) {
    if (operators.has(operator)) terms.push(term(operator, quoted ?? plain ?? '', minus === '-'));
    else words.push(whole);
  }
  return words.length > 0 ? [...terms, term('search', words.join(' '))] : terms;
}
