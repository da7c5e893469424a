import { describe, expect, test } from 'vitest';

import { fillPreviews } from './fill-previews.ts';
import { renderMarkdown } from './render-markdown.ts';

const realmHost = 'chat.example.com';
const html = (content: string) => renderMarkdown(content, { realmHost, previewsImages: true }).html;
const preview = (url: string, title: string) =>
  `<div class="message_inline_image"><a href="${url}" title="${title}"><img class="image-loading-placeholder" src="/api/image-loading.svg"></a></div>`;

describe('the preview of an image', () => {
  test('stands below the paragraph that links an upload', () => {
    const url = '/user_uploads/1/a%20b.png';
    expect(html(`see [the "plan"](${url})\n\nend`)).toBe(
      `<p>see <a href="${url}">the "plan"</a></p>\n${preview(url, 'the &quot;plan&quot;')}\n<p>end</p>`,
    );
  });

  test('stands in the item of a list, and for a full URL of this server', () => {
    const url = `https://${realmHost}/user_uploads/1/x.jpg`;
    expect(html(`- ${url}`)).toContain(preview('/user_uploads/1/x.jpg', url));
  });

  test('shows the thumbnail also if the link has no text', () => {
    const image = { type: 'image/png', width: 2, height: 1, isAnimated: false, thumbnail: 't' };
    const previews = new Map([['1/a.png', image]]);
    const stored = preview('/user_uploads/1/a.png', '').replace(' title=""', '');
    for (const pending of [html('[](/user_uploads/1/a.png)'), stored]) {
      const filled = fillPreviews(pending, previews);
      expect(filled).toContain('src="/user_uploads/thumbnail/1/a.png/t"');
      expect(filled).not.toContain('image-loading-placeholder');
    }
  });

  test.each([
    'https://elsewhere.example.com/user_uploads/1/a.png',
    'https://x.org/a.png',
    '[a](/user_uploads/1/a.txt)',
    '[a](/user_uploads/../api/a.png)',
    '> [a](/user_uploads/1/a.png)',
    '`/user_uploads/1/a.png`',
  ])('is left out for %s', (content) => expect(html(content)).not.toContain('<img'));

  test('is left out where the realm has no previews, and beyond 24 images', () => {
    const link = '[a](/user_uploads/1/a.png)';
    expect(renderMarkdown(link, { realmHost }).html).not.toContain('<img');
    expect(
      html(`${link} `.repeat(20) + `\n\n${`${link} `.repeat(20)}`).match(/<img/g),
    ).toHaveLength(24);
  });
});

describe('the default language of code blocks', () => {
  const code = (content: string) =>
    /data-code-language="([^"]*)"/.exec(
      renderMarkdown(content, { defaultLanguage: 'python' }).html,
    )?.[1];

  test('applies to fences that name no language', () => {
    expect(code('```\nx\n```')).toBe('Python');
    expect(code('```js\nx\n```')).toBe('JavaScript');
    expect(code('    x')).toBeUndefined();
  });
});
