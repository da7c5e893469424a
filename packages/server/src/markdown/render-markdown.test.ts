import { describe, expect, test } from 'vitest';

import clientNames from '../emoji/client-names.json' with { type: 'json' };
import { renderMarkdown, type Lookups } from './render-markdown.ts';

const lookups: Lookups = {
  channels: [{ id: 9, name: 'R&D dept.' }],
  realmHost: 'chat.example.com',
};
const html = (content: string) => renderMarkdown(content, lookups).html;

describe('renderMarkdown renders', () => {
  test.each([
    ['nothing', '', ''],
    ['plain text', 'Hello, world', '<p>Hello, world</p>'],
    ['paragraphs', 'a\n\nb', '<p>a</p>\n<p>b</p>'],
    ['a line break', '*a*\nb', '<p><em>a</em><br>\nb</p>'],
    ['emphasis', '**b** *i* ~~d~~', '<p><strong>b</strong> <em>i</em> <del>d</del></p>'],
    ['underscores', '__init__ a_b_c', '<p>__init__ a_b_c</p>'],
    ['backslashes', '\\*a\\*', '<p>\\<em>a\\</em></p>'],
    ['inline code', '`a < b`', '<p><code>a &lt; b</code></p>'],
    ['names of no emoji', ':no_such_emoji: 12:30:45 ::', '<p>:no_such_emoji: 12:30:45 ::</p>'],
    [
      'nested lists',
      '- a\n  1. b\n- c',
      '<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n<li>c</li>\n</ul>',
    ],
    ['a rule', 'a\n\n---\n\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
    ['/me', '/me *waves*', '<p>/me <em>waves</em></p>'],
    ['headings', '## A', '<h2>A</h2>'],
    ['no underlined headings', 'a\n===', '<p>a<br>\n===</p>'],
    ['lists', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['numbered lists', '3. a', '<ol start="3">\n<li>a</li>\n</ol>'],
    ['quotes', '> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['HTML', '<b>a</b>', '<p>&lt;b&gt;a&lt;/b&gt;</p>'],
    ['entities', '&amp; &lt;', '<p>&amp; &lt;</p>'],
  ])('%s', (_, content, expected) => expect(html(content)).toBe(expected));

  test.each([
    ['```py\nx < 1\n```', ' data-code-language="Python"', 'x &lt; 1\n'],
    ['```\nx\n```', '', 'x\n'],
    ['~~~ nolang-5\nx', ' data-code-language="nolang-5"', 'x\n'],
    ['    indented', '', 'indented\n'],
  ])('code %j', (content, language, code) => {
    const pre = `<pre><span></span><code>${code}</code></pre>`;
    expect(html(content)).toBe(`<div class="codehilite"${language}>${pre}</div>`);
  });

  test('a table with an aligned column', () => {
    expect(html('a|b\n-|-:\n1|2')).toBe(
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align: right;">b</th>\n</tr>\n</thead>\n' +
        '<tbody>\n<tr>\n<td>1</td>\n<td style="text-align: right;">2</td>\n</tr>\n</tbody>\n</table>',
    );
  });

  test('a quote fence holds code with a fence of the same length', () => {
    const code = '<div class="codehilite"><pre><span></span><code>x\n</code></pre></div>';
    expect(
      html('```quote\na\n```js\nx\n```\n```\nb').replace(' data-code-language="JavaScript"', ''),
    ).toBe(`<blockquote>\n<p>a</p>\n${code}\n</blockquote>\n<p>b</p>`);
  });

  test('a spoiler', () => {
    expect(html('```spoiler The *end*\nHe did it\n```')).toBe(
      '<div class="spoiler-block"><div class="spoiler-header">\n<p>The <em>end</em></p>\n</div>' +
        '<div class="spoiler-content" aria-hidden="true">\n<p>He did it</p>\n</div></div>',
    );
  });

  test.each([
    ['2026-05-28T17:00:00+02:00', '2026-05-28T15:00:00Z'],
    ['2026-05-28T17:00:00', '2026-05-28T17:00:00Z'],
    ['2026-05-28 17:00', '2026-05-28T17:00:00Z'],
    ['2026-05-28', '2026-05-28T00:00:00Z'],
    ['1500000000', '2017-07-14T02:40:00Z'],
  ])('the time %s', (written, utc) => {
    expect(html(`<time:${written}>`)).toBe(`<p><time datetime="${utc}">${written}</time></p>`);
  });

  test.each([
    'soon',
    '2026-13-45',
    '9999999999999',
    '"><b>',
    '2021-02-30T10:00Z',
    '2021-02-28T24:00',
    '0000-01-01',
    '0001-01-01T00:00+01:00',
    '9999-12-31T23:00-02:00',
    '-99999999999',
  ])('the time %j is an error', (written) => {
    expect(html(`<time:${written}>`)).toMatch(/^<p><span class="timestamp-error">Invalid time/);
  });
});

describe('emoji', () => {
  const span = (code: string, name: string) => {
    const label = name.replaceAll('_', ' ');
    return `<span aria-label="${label}" class="emoji emoji-${code}" role="img" title="${label}">:${name}:</span>`;
  };
  const tada = span('1f389', 'tada');
  test.each([
    [':smile:', span('1f642', 'smile')],
    ['Well done :thumbs_up:', `Well done ${span('1f44d', 'thumbs_up')}`],
    [':+1::-1:', span('1f44d', '+1') + span('1f44e', '-1')],
    ['x:tada:y', `x${tada}y`],
    ['**:tada:** [:tada:](/c)', `<strong>${tada}</strong> <a href="/c">${tada}</a>`],
    [':piña_colada:', span('1f965', 'piña_colada')],
    [':woman_detective:', span('1f575-fe0f-200d-2640-fe0f', 'woman_detective')],
    ['\u{1f575}\ufe0f\u200d\u2640\ufe0f', span('1f575-fe0f-200d-2640-fe0f', 'woman_detective')],
    ['`:tada:`', '<code>:tada:</code>'],
    ['http://x.org/:tada:', '<a href="http://x.org/:tada:">http://x.org/:tada:</a>'],
    ['\u{1f389}', tada],
    ['yes \u{1f44d} no', `yes ${span('1f44d', '+1')} no`],
    ['\u2764\ufe0f\u2764', span('2764', 'heart').repeat(2)],
    ['#\ufe0f\u20e3 #1', `${span('0023-20e3', 'hash')} #1`],
    ['\u{1f1e9}\u{1f1ea}', span('1f1e9-1f1ea', 'flag_germany')],
    ['\u{1f469}\u200d\u{1f52c}!', `${span('1f469-200d-1f52c', 'woman_scientist')}!`],
  ])('%j', (content, expected) => expect(html(content)).toBe(`<p>${expected}</p>`));

  test.each(['\u00a9 \u2122 \u2194', '\u2764\ufe0e', '\u{1f44d}\u{1f3fd}', '`\u{1f389}`'])(
    '%j is text',
    (content) => expect(html(content)).not.toContain('<span'),
  );

  test('every name that public clients send renders with the code that they send with it', () => {
    for (const [code, names] of Object.entries(clientNames))
      for (const name of names) expect(html(`:${name}:`)).toBe(`<p>${span(code, name)}</p>`);
  });

  test('emoji beyond the limit stay text', () => {
    const many = html(':tada:\u{1f389}'.repeat(400));
    expect(many.match(/<span/g)).toHaveLength(500);
    expect(many.endsWith(':tada:\u{1f389}</p>')).toBe(true);
  });
});

describe('links', () => {
  const a = (href: string, text = href) => `<a href="${href}">${text}</a>`;
  test.each([
    ['https://x.org/a?b=1', a('https://x.org/a?b=1')],
    ['zulip.com/a', a('http://zulip.com/a', 'zulip.com/a')],
    ['iago@zulip.com', a('mailto:iago@zulip.com', 'iago@zulip.com')],
    ['[t](https://x.org)', a('https://x.org', 't')],
    ['[t](zulip.com/a)', a('http://zulip.com/a', 't')],
    ['[t](/user_uploads/1/a.txt)', a('/user_uploads/1/a.txt', 't')],
    ['[t](user_uploads/1/a.txt)', a('/user_uploads/1/a.txt', 't')],
    ['[t](#narrow/channel/9)', a('#narrow/channel/9', 't')],
    ['![t](https://x.org/a.png)', `!${a('https://x.org/a.png', 't')}`],
    ['readme.md and main.rs', 'readme.md and main.rs'],
    ['[t](ftp://x.org)', '[t](ftp://x.org)'],
    ['[t](//x.org)', '[t](//x.org)'],
    ['[](zulip.com/a)', a('http://zulip.com/a')],
    ['[t][r]', '[t][r]'],
    ['[a <http://x.org> b](/c)', a('/c', 'a http://x.org b')],
    ['[**a.com**](/c)', a('/c', '<strong>a.com</strong>')],
    ['[a *b.com*@](/c) <http://x.org>', `${a('/c', 'a <em>b.com</em>@')} ${a('http://x.org')}`],
  ])('%s', (content, expected) => expect(html(content)).toBe(`<p>${expected}</p>`));

  test.each([
    ['#**R&D dept.**', 'stream', '', '#R&amp;D dept.'],
    [
      '#**r&d DEPT.>a.b (c)**',
      'stream-topic',
      '/topic/a.2Eb.20.28c.29',
      '#R&amp;D dept. &gt; a.b (c)',
    ],
    ['#**R&D dept.>**', 'stream-topic', '/topic/', '#R&amp;D dept. &gt; <em>general chat</em>'],
  ])('a link to a channel: %s', (content, name, path, text) => {
    const href = `/#narrow/channel/9-R.26D-dept.2E${path}`;
    expect(html(content)).toBe(
      `<p><a class="${name}" data-stream-id="9" href="${href}">${text}</a></p>`,
    );
  });

  test('a link to a message', () => {
    const href = '/#narrow/channel/9-R.26D-dept.2E/topic/t/near/17';
    expect(html('#**R&D dept.>t@17**')).toBe(
      `<p><a class="message-link" href="${href}">#R&amp;D dept. &gt; t @ 💬</a></p>`,
    );
  });

  test.each(['#**nowhere**', 'x#**R&D dept.**', '`#**R&D dept.**`', '[a #**R&D dept.**](/b)'])(
    'no link to a channel: %s',
    (content) => expect(html(content)).not.toContain('data-stream-id'),
  );
});

describe('renderMarkdown reports', () => {
  test.each([
    ['has_link', 'see zulip.com'],
    ['has_link', '#**R&D dept.**'],
    ['has_image', '[a](https://x.org/a.PNG?x=1)'],
    ['has_attachment', '[a](/user_uploads/1/a.png)'],
    ['has_attachment', 'https://chat.example.com/user_uploads/1/a.png'],
    ['is_me_message', '/me waves'],
  ] as const)('%s: %s', (key, content) => expect(renderMarkdown(content, lookups)[key]).toBe(true));

  test.each([
    ['has_link', '`zulip.com`'],
    ['has_image', '[a](https://x.org/png)'],
    ['has_attachment', 'https://elsewhere.example.com/user_uploads/1/a.png'],
    ['is_me_message', '/meow'],
    ['is_me_message', '/me has\n- a list'],
    ['is_me_message', 'not /me'],
  ] as const)('no %s: %s', (key, content) =>
    expect(renderMarkdown(content, lookups)[key]).toBe(false),
  );

  test('attachment_paths lists each upload once', () => {
    const content =
      '[a](/user_uploads/1/a%20b.png) [a](/user_uploads/1/a%20b.png) [x](/user_uploads/%)';
    expect(renderMarkdown(content).attachment_paths).toEqual(['1/a b.png', '%']);
  });
});
