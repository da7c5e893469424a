import { Card, CardText, parseMarkdown, Table } from 'chat';
import { expect, test } from 'vitest';

import { BellhopFormatConverter } from './format-converter.ts';

const converter = new BellhopFormatConverter();

test.each([
  ['a mention', '@**Ada Lee|7** hello', '@Ada Lee hello'],
  ['a mention without an ID', 'ask @**Ada Lee**', 'ask @Ada Lee'],
  ['a silent mention', '@_**Ada Lee|7** wrote', '@Ada Lee wrote'],
  ['a mention of a group', '@*support* help', '@support help'],
  ['a link to a channel', 'in #**ops**', 'in #ops'],
  ['a link to a topic', 'see #**ops>releases**', 'see #ops > releases'],
  ['a time', '<time:2026-11-29T12:00:00Z>', '2026-11-29T12:00:00Z'],
  ['bold and code', '**yes**, `@**Ada**`', 'yes, @**Ada**'],
  ['a code block', '```js\n@**Ada**\n```', '@**Ada**'],
  ['a quotation', '```quote\nold\n```\nnew', 'old\n\nnew'],
])('the plain text of %s', (_what, content, text) => {
  expect(converter.extractPlainText(content).trim()).toBe(text);
});

test.each([
  ['marks that are no Markdown', 'snake_case * 2 [x]', 'snake_case * 2 [x]'],
  ['bold, italic and struck text', '**a** *b* ~~c~~', '**a** *b* ~~c~~'],
  ['a link', '[docs](https://x.test/a_b)', '[docs](https://x.test/a_b)'],
  ['an image', '![plot](https://x.test/p.png)', '[plot](https://x.test/p.png)'],
  ['nested lists', '1. a\n   - b\n2. c', '1. a\n  - b\n2. c'],
  ['a heading', '## Head', '## Head'],
  ['a quotation', '> one\n>\n> two', '> one\n> \n> two'],
  ['a code block with fences', '````md\n```\nx\n```\n````', '````md\n```\nx\n```\n````'],
  ['a code span with a mark', '`` a`b ``', '`` a`b ``'],
  ['a table', '| a | b |\n|---|---|\n| 1 | `2` |', '| a | b |\n| --- | --- |\n| 1 | `2` |'],
])('the tree of %s becomes Markdown of the server, without backslashes', (_what, from, to) => {
  expect(converter.fromAst(parseMarkdown(from))).toBe(to);
});

test('mentions and emoji of the Chat SDK become those of the server, except in code', () => {
  expect(converter.renderPostable('<@7> {{emoji:party}} `<@7>`')).toBe('@**|7** 🎉 `<@7>`');
  expect(converter.renderPostable({ markdown: 'for <@7>\n\n```\n<@7>\n```' })).toBe(
    'for @**|7**\n\n```\n<@7>\n```',
  );
});

test('a card is Markdown: its title, texts and tables', () => {
  const card = Card({
    title: 'Build 12',
    subtitle: 'main',
    children: [
      CardText('All **green**'),
      Table({ headers: ['job', 'time'], rows: [['unit', '3 | 4 s']] }),
    ],
  });
  expect(converter.renderPostable(card)).toBe(
    '**Build 12**\n\nmain\n\nAll **green**\n\n| job | time |\n| --- | --- |\n| unit | 3 \\| 4 s |',
  );
});
