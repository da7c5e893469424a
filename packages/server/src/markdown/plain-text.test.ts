import { expect, test } from 'vitest';

import { plainText } from './plain-text.ts';
import { renderMarkdown } from './render-markdown.ts';

const textOf = (markdown: string) =>
  plainText(
    renderMarkdown(markdown, {
      realmHost: 'chat.example.com',
      users: [{ id: 8, full_name: 'King Hamlet' }],
      previewsImages: true,
    }).html,
  );

test.each([
  ['emphasis', '**b** *i* ~~d~~', 'b i d'],
  ['entities', 'a < b & c', 'a < b & c'],
  ['line breaks', 'a\nb', 'a\nb'],
  ['paragraphs', 'a\n\nb', 'a\nb'],
  ['a list', '- a\n- b', '- a\n- b'],
  ['a numbered list', '3. a\n4. b', '3. a\n4. b'],
  ['inline code', 'run `npm  ci`', 'run npm ci'],
  ['a code block with its line breaks', '```js\nif (a)\n  b();\n```', 'if (a)\n  b();'],
  ['emoji as their characters', ':wave: and 👩‍👩‍👧', '👋 and 👩‍👩‍👧'],
  ['a mention with its at sign', 'hi @**King Hamlet**', 'hi @King Hamlet'],
  ['a link as its text', '[docs](https://example.com/docs)', 'docs'],
  ['a formula as its source', '$$x^2$$', 'x^2'],
  ['a table', 'a|b\n-|-\n1|2', 'a | b\n1 | 2'],
  ['a quote alone', '> to be', 'to be'],
  ['a quote with an answer as […]', '> to be\n\nor not', '[…]\nor not'],
  ['a spoiler as its header', '```spoiler The end\nAll die\n```', 'The end\n(…)'],
  ['an image as its link', 'https://example.com/cat.png', 'https://example.com/cat.png'],
])('plainText shows %s', (_, markdown, expected) => expect(textOf(markdown)).toBe(expected));

test('plainText shows the alternative text of images', () => {
  expect(
    plainText('<p>a <img class="emoji" alt=":party:" src="x"> <img src="y" alt="A cat"></p>'),
  ).toBe('a :party: A cat');
});
