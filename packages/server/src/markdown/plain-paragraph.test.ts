import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { plainParagraph } from './plain-paragraph.ts';
import { renderInFull, renderMarkdown } from './render-markdown.ts';

const pieces = fc.oneof(
  fc.constantFrom(...' \n.,:;/\'"!?()%=+-*_#@~`[]<>&|\\$'.split('')),
  fc.constantFrom('Hello', 'a', 'com', 'www.', 'http:', '//', '  ', '1', '1.', 'é', 'я', '中', 'İ'),
  fc.constantFrom(
    'mailto:',
    ':tada:',
    ':+1:',
    '\u00a0',
    '\u3000',
    '\u200b',
    '\u0301',
    '👍',
    '\ud800',
    '\0',
    '\r',
    '\t',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const text = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));
const nearlyPlain = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...'abcé d e.,:;/\'"!?()%=+-1\n'.split('')) },
      pieces,
    ),
    {
      maxLength: 40,
    },
  )
  .map((parts) => `A${parts.join('')}`);

describe('the short way for plain text', () => {
  test.each([
    'Hello, the deploy is done. All good?',
    "it's (50%) done; see: a/b - ok!",
    'Two\nlines of text',
    'Grüße aus Köln',
    'at 12:30 it begins: now',
  ])('is taken for %j', (content) => expect(plainParagraph(content)).toBeDefined());

  test.each([
    'zulip.com',
    'a  b',
    ' a',
    '- a',
    '1. a',
    'a\n- b',
    'a\n\nb',
    'http://x',
    'a ',
    '@all',
    'a :tada: b',
  ])('is not taken for %j', (content) => expect(plainParagraph(content)).toBeUndefined());

  test('gives what the parser and the sanitiser give', () => {
    let taken = 0;
    const property = fc.property(fc.oneof(nearlyPlain, text), (content) => {
      const short = plainParagraph(content);
      if (short === undefined) return;
      taken += 1;
      expect(renderMarkdown(content)).toEqual(renderInFull(content));
    });
    fc.assert(property, { numRuns: 10_000 });
    expect(taken).toBeGreaterThan(500);
  });
});
