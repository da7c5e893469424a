import { describe, expect, test } from 'vitest';

import { plainText } from './plain-text.ts';
import { renderMarkdown } from './render-markdown.ts';

const push = (content: string) =>
  plainText(renderMarkdown(content, { users: [{ id: 12, full_name: 'Iago' }] }).html);

describe('the text of a push notification', () => {
  test.each([
    ['', ''],
    ['a < b & "c"', 'a < b & "c"'],
    ['**b** `c` [t](/a)', 'b c t'],
    ['@**Iago** @_**Iago**', '@Iago Iago'],
    ['a\nb\n\nc', 'a\nb\nc'],
    ['5. a\n6. b', '1. a\n2. b'],
    ['- a\n- b', 'a\nb'],
    ['a|b\n-|-\n1|2', 'a b\n1 2'],
    ['```py\nx = 1\n\ny = 2\n```', 'x = 1\n\ny = 2'],
    ['> a\n> b', '> a\n> b'],
    ['> a\n\nb', '[…]\nb'],
    ['> a\n\nb\n\n> c', '[…]\nb\n[…]'],
    ['@_**Iago** [said](/a):\n```quote\nold\n```\nnew', '[…]\nnew'],
    ['@_**Iago** [said](/a):\n```quote\nold\n```', 'Iago said:\n> old'],
    ['@_**Iago** [said](/a):\n\nnew', 'Iago said:\nnew'],
    ['```spoiler The *end*\nsecret\n```\nb', 'The end (…)\nb'],
    ['```spoiler\nsecret\n```', '(…)'],
    ['well done :tada: \u2764\ufe0f', 'well done \u{1f389} \u2764'],
  ])('%j', (content, expected) => expect(push(content)).toBe(expected));

  test('shows emoji and images by their text', () => {
    const emoji = '<span class="emoji emoji-1f1e9-1f1ea" title="de">:flag_de:</span>';
    const images = '<img alt=":party:" class="emoji" src="/x"><img alt="a &quot;b&quot;">';
    expect(plainText(`<p>${emoji} ${images}</p>`)).toBe('🇩🇪 :party:a "b"');
  });

  test('is cut at 200 characters, none of them in half', () => {
    expect(plainText(`<p>${'x'.repeat(200)}</p>`)).toBe('x'.repeat(200));
    expect(plainText(`<p>${'👍'.repeat(201)}</p>`)).toBe(`${'👍'.repeat(200)}…`);
  });
});
