import fc from 'fast-check';
import { expect, test } from 'vitest';

import { cpuMs } from './cpu-ms.fixture.ts';
import { htmlDiff } from './html-diff.ts';
import { renderMarkdown } from './render-markdown.ts';

const came = (text: string) => `<span class="highlight_text_inserted">${text}</span>`;
const went = (text: string) => `<span class="highlight_text_deleted">${text}</span>`;

test.each([
  ['<p>same</p>', '<p>same</p>', '<p>same</p>'],
  ['<p>one two</p>', '<p>one three</p>', `<p>one ${went('two')}${came('three')}</p>`],
  ['<p>one</p>', '<p>one two</p>', `<p>one${came(' two')}</p>`],
  ['<p>one two</p>', '<p>one</p>', `<p>one${went(' two')}</p>`],
  ['<p>a &lt; b</p>', '<p>a &gt; b</p>', `<p>a ${went('&lt;')}${came('&gt;')} b</p>`],
  ['<p>a b</p>', '<p>a <em>b</em></p>', '<p>a <em>b</em></p>'],
  ['<p>a <em>b</em></p>', '<p>a c</p>', `<p>a ${went('b')}c</p>`.replace('c<', `${came('c')}<`)],
  ['', '<p>new</p>', `<p>${came('new')}</p>`],
  ['<p>ä</p>', '<p>äö</p>', `<p>${went('ä')}${came('äö')}</p>`],
])('htmlDiff marks the changes from %j to %j', (before, after, expected) => {
  expect(htmlDiff(before, after)).toBe(expected);
});

test('the diff without its marks and deleted text is the new version', () => {
  const words = fc.constantFrom(
    'a',
    'b ',
    '**c**',
    '\n\n* d',
    ' `e` ',
    '&',
    '<',
    '\n> f\n',
    '[g](h.de)',
  );
  const content = fc.array(words, { maxLength: 30 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(content, content, (before, after) => {
      const [old, young] = [renderMarkdown(before).html, renderMarkdown(after).html];
      const plain = htmlDiff(old, young)
        .replaceAll(/<span class="highlight_text_deleted">[^<]*<\/span>/g, '')
        .replaceAll(/<span class="highlight_text_inserted">([^<]*)<\/span>/g, '$1');
      expect(plain.replaceAll(/\s/g, '')).toBe(young.replaceAll(/\s/g, ''));
    }),
  );
});

test('comparing two long versions without common text takes little time', () => {
  const text = (from: number) =>
    Array.from({ length: 10_000 }, (_, at) => String.fromCodePoint(0x4_00 + ((at * from) % 97)));
  const [before, after] = [text(31).join('-'), text(17).join('+')];
  const taken = cpuMs(() => {
    expect(htmlDiff(before, after)).toBe(went(before) + came(after));
  });
  expect(taken).toBeLessThan(1000);
});
