import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { cpuMs } from '../cpu-ms.fixture.ts';
import { closeMarkdown, closingOf } from './close-markdown.ts';

describe('closeMarkdown closes or cuts what is incomplete', () => {
  test.each([
    ['', ''],
    ['plain text, 2 * 3 and snake_case', 'plain text, 2 * 3 and snake_case'],
    ['some **bold', 'some **bold**'],
    ['some **bold ', 'some **bold**'],
    ['some **bold*', 'some **bold**'],
    ['some **', 'some '],
    ['**bold *both', '**bold *both***'],
    ['***both', '***both***'],
    ['*a **b** c', '*a **b** c*'],
    ['**a *b** c', '**a *b** c'],
    ['~~gone', '~~gone~~'],
    ['~~gone~', '~~gone~~'],
    ['run `npm', 'run `npm`'],
    ['run ``a ` b', 'run ``a ` b``'],
    ['run ``a`', 'run ``a``'],
    ['run `', 'run '],
    ['`a` and **`b', '`a` and **`b`**'],
    ['sum $$x_1 * y', 'sum $$x_1 * y$$'],
    ['sum $$x$', 'sum $$x$$'],
    ['costs $$', 'costs '],
    ['see [the docs', 'see [the docs]'],
    ['see [the **docs', 'see [the **docs**]'],
    ['see [the docs](https://exa', 'see [the docs]'],
    ['see [a](https://x/(y)) and [', 'see [a](https://x/(y)) and '],
    ['**see [a](b', '**see [a]**'],
    ['thanks @**Max', 'thanks '],
    ['thanks @**Max** and', 'thanks @**Max** and'],
    ['thanks @', 'thanks '],
    ['costs 5 $', 'costs 5 '],
    ['thanks @_**Max Member** **and', 'thanks @_**Max Member** **and**'],
    ['in #**ops>rele', 'in '],
    ['at <time:2026-11', 'at '],
    ['one\n\n**two** and *three', 'one\n\n**two** and *three*'],
    ['a stray ** here\n\nnext', 'a stray ** here\n\nnext'],
    ['- **one\n- two', '- **one\n- two'],
    ['# A **title', '# A **title**'],
    ['text\n-', 'text\n'],
  ])('%j', (partial, closed) => {
    expect(closeMarkdown(partial)).toBe(closed);
  });

  test.each([
    ['```js\nlet a', '```js\nlet a\n```'],
    ['```js\nlet a\n', '```js\nlet a\n```'],
    ['```js\nlet a\n``', '```js\nlet a\n```'],
    ['```js\nlet a\n```', '```js\nlet a\n```'],
    ['```js\nlet a = `**', '```js\nlet a = `**\n```'],
    ['one **two\n```j', 'one **two**'],
    ['text\n```', 'text\n'],
    ['~~~~\na\n~~~', '~~~~\na\n~~~~'],
    ['```spoiler Why\nbecause **it', '```spoiler Why\nbecause **it**\n```'],
    ['```quote\n```js\na\n```\n*b', '```quote\n```js\na\n```\n*b*\n```'],
    ['```quote\n```js\na', '```quote\n```js\na\n```\n```'],
    ['```math\nx^2', '```math\nx^2\n```'],
    ['> ```js\n> a', '> ```js\n> a\n> ```'],
    ['> ```js\n> a\n\nafter **it', '> ```js\n> a\n\nafter **it**'],
    ['- ```js\n  a', '- ```js\n  a\n  ```'],
    ['| a | b |\n', '| a | b |\n| --- | --- |'],
    ['| a | b |\n|--', '| a | b |\n| --- | --- |'],
    ['| a | b |\n|--|--|\n| 1 | **2', '| a | b |\n|--|--|\n| 1 | **2** |'],
    ['| a | b |\n|--|--|\n| 1 | 2 |', '| a | b |\n|--|--|\n| 1 | 2 |'],
  ])('%j', (partial, closed) => {
    expect(closeMarkdown(partial)).toBe(closed);
  });
});

const word = fc.stringMatching(/^[a-zé]{1,6}( [a-z]{1,5}){0,2}$/);
const inline = fc.letrec<{ piece: string; line: string }>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small' },
    word,
    word.map((text) => `\`${text}\``),
    word.map((text) => `\`\`${text}\`\``),
    word.map((text) => `$$${text}$$`),
    fc
      .tuple(word, word)
      .map(([text, at]) => `[${text}](https://x.test/${at.replaceAll(' ', '(1)')})`),
    word.map((name) => `x @**${name}**`),
    word.map((name) => `x #**${name}**`),
    tie('line').map((text) => `**so ${text} so**`),
    word.map((text) => `*${text}*`),
    tie('line').map((text) => `~~so ${text} so~~`),
  ),
  line: fc.array(tie('piece'), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(' ')),
}));
const code = fc
  .tuple(fc.constantFrom('```', '~~~'), fc.constantFrom('ts', 'js', 'math'), word)
  .map(([fence, info, text]) => `${fence}${info}\n${text}\n\n${text}\n${fence}`);
const table = fc
  .tuple(inline.line, word)
  .map(([cell, head]) => `| ${head} | b |\n| --- | --- |\n| ${cell} | 1 |\n| x | ${cell} |`);
const simple = fc.oneof(
  inline.line,
  inline.line.map((text) => `- ${text}\n- ${text}`),
  inline.line.map((text) => `## ${text}`),
  code,
  table,
);
const holder = fc
  .tuple(fc.constantFrom('quote', 'spoiler Why'), fc.array(simple, { minLength: 1, maxLength: 2 }))
  .map(([info, blocks]) => `\`\`\`${info}\n${blocks.join('\n\n')}\n\`\`\``);
const wellFormed = fc
  .array(fc.oneof(simple, holder), { minLength: 1, maxLength: 4 })
  .map((blocks) => blocks.join('\n\n'));
const marks = [
  '*',
  '**',
  '~~',
  '~',
  '`',
  '``',
  '```',
  '$$',
  '$',
  '[',
  ']',
  '](',
  ')',
  '|',
  '>',
  '-',
]
  .concat(['#', '@**', '#**', '<time:', '\n', '\n\n', '\n```quote\n', ' ', 'a', 'é', '😀', '1. '])
  .concat(['| - |\n']);
/** Markdown marks in random order. */
const markSequence = fc
  .array(fc.constantFrom(...marks), { maxLength: 40 })
  .map((parts) => parts.join(''));

function* prefixes(text: string) {
  for (let end = 0; end <= text.length; end++) yield text.slice(0, end);
}

/** Removes every complete construct; the marks that remain are not closed. */
function leftOpen(text: string): string {
  let rest = text
    .replace(/^(`{3,}|~{3,})(?!quote|spoiler)[a-z]+\n(?:[^\n]*\n)*?\1$/gm, '')
    .replace(/^```(?:quote|spoiler)[^\n]*\n(?:[^\n]*\n)*?```$/gm, (whole) =>
      whole.split('\n').slice(1, -1).join('\n'),
    )
    .replace(/(`+)[a-zé ]+\1/g, 'x')
    .replace(/\$\$[a-zé ]+\$\$/g, 'x')
    .replace(/[@#]\*\*[a-zé ]+\*\*/g, 'x')
    .replace(/\[([^[\]]+)\]\(https:[a-zé/.()1]*\)/g, '$1')
    .replace(/\[([^[\]]+)\]/g, '$1')
    .replace(/^\|.*\|\n\|(?: --- \|)+(?:\n\|.*\| ?)*$/gm, (whole) => whole.replaceAll('|', ''));
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replace(/(\*\*|~~|\*)(?=[^\s*~])([^*~]*[^\s*~])\1/g, '$2');
  }
  return rest.replace(/[^*`~$[\]|]/g, '');
}

test('closeMarkdown makes every prefix of a well-formed text well-formed', () => {
  fc.assert(
    fc.property(wellFormed, (text) => {
      for (const prefix of prefixes(text)) {
        const closed = closeMarkdown(prefix);
        // An incomplete header row of a table is plain text with bars.
        if (/(?:^|\n\n|quote\n|Why\n)\|[^\n]*$/.test(prefix)) continue;
        expect([prefix, closed, leftOpen(closed)]).toEqual([prefix, closed, '']);
      }
      expect(closeMarkdown(text)).toBe(text);
    }),
    { numRuns: 150 },
  );
});

const dangling =
  /^[\s*~`$|:#=+_>\-[.)\d]*(?:@_?(?:\*\*?[^*\n]*\*?)?|#\*\*[^*\n]*\*?|<time:[^\n]*|\([^\n]*|(?:```|~~~)[^\n]*)?\s*$/;

test('closeMarkdown keeps the text except an incomplete mark at its end', () => {
  fc.assert(
    fc.property(fc.oneof(wellFormed, markSequence), (text) => {
      for (const prefix of prefixes(text)) {
        const { keep, closers } = closingOf(prefix);
        expect(closeMarkdown(prefix)).toBe(prefix.slice(0, keep) + closers);
        const cut = prefix.slice(keep);
        if (cut !== '') expect([prefix, cut]).toEqual([prefix, expect.stringMatching(dangling)]);
      }
    }),
    { numRuns: 150 },
  );
});

test('closeMarkdown does not change a closed text', () => {
  fc.assert(
    fc.property(wellFormed, (text) => {
      for (const prefix of prefixes(text)) {
        const closed = closeMarkdown(prefix);
        expect([prefix, closeMarkdown(closed)]).toEqual([prefix, closed]);
      }
    }),
    { numRuns: 150 },
  );
});

test.each(
  [
    '*a ',
    '**a *b** ',
    '[](',
    '[a',
    '`a ``',
    '$$a',
    '@**',
    '<time:',
    '~~ ~',
    '> ```quote\n',
    '|a|\n',
  ].map((part) => [part]),
)('closeMarkdown takes linear time for repeated %j', (part) => {
  const text = part.repeat(100_000 / part.length);
  // Quadratic time takes much longer here.
  expect(cpuMs(() => closeMarkdown(text))).toBeLessThan(4000);
});
