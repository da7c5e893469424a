import { describe, expect, test } from 'vitest';

import { renderMarkdown } from './render-markdown.ts';

const html = (content: string) => renderMarkdown(content, { translatesEmoticons: true }).html;
const span = (code: string, name: string) => {
  const label = name.replaceAll('_', ' ');
  return `<span aria-label="${label}" class="emoji emoji-${code}" role="img" title="${label}">:${name}:</span>`;
};
const smile = span('1f642', 'smile');

describe('with translate_emoticons', () => {
  test.each([
    [':)', smile],
    ['(:', smile],
    [':(', span('1f641', 'frown')],
    ['<3', span('2764', 'heart')],
    [':|', span('1f611', 'expressionless')],
    [':/', span('1f615', 'confused')],
    [';)', span('1f609', 'wink')],
    [':D', span('1f600', 'grinning')],
    [':o', span('1f62e', 'open_mouth')],
    [':O', span('1f62e', 'open_mouth')],
    [':p', span('1f61b', 'stuck_out_tongue')],
    [':P', span('1f61b', 'stuck_out_tongue')],
    ['well :) done :)', `well ${smile} done ${smile}`],
    [':) :)\n:)', `${smile} ${smile}<br>\n${smile}`],
    [':tada: :)', `${span('1f389', 'tada')} ${smile}`],
  ])('%j becomes emoji', (content, expected) => expect(html(content)).toBe(`<p>${expected}</p>`));

  test.each([
    'x:)',
    ':)x',
    ':).',
    '`:)`',
    '**:)**',
    '**a**:)',
    ':tada::)',
    '[:)](https://x.org)',
    'https://x.org/:)',
    '```\n:)\n```',
    ':))',
    '8:00',
  ])('%j is no emoticon', (content) => {
    expect(html(content)).toBe(renderMarkdown(content).html);
  });
});

test('without translate_emoticons, emoticons stay text', () => {
  expect(renderMarkdown(':) <3').html).toBe('<p>:) &lt;3</p>');
});
