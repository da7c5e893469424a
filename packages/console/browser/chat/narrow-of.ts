import { type NarrowTerm, visibleText, wordKey } from '@bellhop/protocol';

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
  'has',
  'id',
  'in',
  'is',
  'near',
  'sender',
  'stream',
  'topic',
  'with',
]);

/** The name that the server knows an operator by. */
const knownAs = (operator: string) => (operator === 'from' ? 'sender' : operator);

/** The operators whose operands are words of the language of search, not names. */
const ofWords = new Set(['has', 'id', 'in', 'is', 'near', 'with']);

const TERM =
  /([\p{Pd}−]?)(?:([\p{L}\p{Cf}-]+)[:：])?(?:["“”„«»＂]([^"“”„«»＂]*)["“”„«»＂]|(\S+))/gu;

/**
 * The terms of a search: `is:starred -sender:ada@x.org channel:"on call" words`. Words without an
 * operator are searched in the text. Operators and their words are read in plain form.
 */
function searchTerms(text: string): NarrowTerm[] {
  const words: string[] = [];
  const terms: NarrowTerm[] = [];
  for (const [whole, minus, typed = '', quoted, plain = ''] of text.matchAll(TERM)) {
    const operator = knownAs(wordKey(typed));
    const operand = quoted ?? (ofWords.has(operator) ? wordKey(plain) : visibleText(plain));
    if (operators.has(operator)) terms.push(term(operator, operand, minus !== ''));
    else words.push(whole);
  }
  return words.length > 0 ? [...terms, term('search', words.join(' '))] : terms;
}
