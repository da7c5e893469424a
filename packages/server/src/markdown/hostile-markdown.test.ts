import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { cpuMs } from './cpu-ms.fixture.ts';
import { mentionNames } from './mention-names.ts';
import { renderMarkdown } from './render-markdown.ts';
import { sanitize } from './sanitize.ts';

const script = 'alert(1)';
const vectors = [
  `<script>${script}</script>`,
  `<img src=x onerror=${script}>`,
  `<svg onload=${script}>`,
  `<svg><animate onbegin=${script} attributeName=x></svg>`,
  `<iframe src="javascript:${script}"></iframe>`,
  `<body onload=${script}>`,
  `<a href="javascript:${script}">x</a>`,
  `<a href="https://x" onclick="${script}">x</a>`,
  `<math><mi//xlink:href="data:x,<script>${script}</script>">`,
  `<table background="javascript:${script}">`,
  `<div style="background:url(javascript:${script})">`,
  `<p style="x:expression(${script})">`,
  `<object data="data:text/html,<script>${script}</script>">`,
  `<embed src="javascript:${script}">`,
  `<link rel=stylesheet href="javascript:${script}">`,
  `<meta http-equiv=refresh content="0;url=javascript:${script}">`,
  `<form action="javascript:${script}"><button>x</button></form>`,
  `<input autofocus onfocus=${script}>`,
  `<details open ontoggle=${script}>`,
  `<noscript><p title="</noscript><img src=x onerror=${script}>">`,
  `<!--><img src=x onerror=${script}>-->`,
  `<![CDATA[<img src=x onerror=${script}>]]>`,
  `<style>@import "javascript:${script}";</style>`,
  `<template><script>${script}</script></template>`,
  `[x](javascript:${script})`,
  `[x](JaVaScRiPt:${script})`,
  `[x](java\tscript:${script})`,
  `[x](&#106;avascript:${script})`,
  `[x](javascript&colon;${script})`,
  `[x](<java\u0001script:${script}>)`,
  `[x](\u0001javascript:${script})`,
  `[x](vbscript:msgbox)`,
  `[x](data:text/html;base64,PHNjcmlwdD4=)`,
  `[x](file:///etc/passwd)`,
  `[x](//evil.example)`,
  `[x](/\\evil.example)`,
  `[x](https://x" onmouseover="${script})`,
  `[x](https://x "t" onmouseover="${script}")`,
  `[x](https://x '"><img src=x onerror=${script}>')`,
  `![x" onerror="${script}](https://x/a.png)`,
  `![x](javascript:${script})`,
  `<javascript:${script}>`,
  `<https://x"onmouseover="${script}>`,
  `https://x/"onmouseover="${script}`,
  `https://x/'><script>${script}</script>`,
  `\`\`\`"><script>${script}</script>\nx\n\`\`\``,
  `\`\`\`py" onclick="${script}\nx\n\`\`\``,
  `\`\`\`spoiler <img src=x onerror=${script}>\nx\n\`\`\``,
  `<time:2026-01-01"><script>${script}</script>`,
  `@**<img src=x onerror=${script}>**`,
  `@*"><script>${script}</script>*`,
  `#**"><script>${script}</script>>"><script>${script}</script>**`,
  `$$<script>${script}</script>$$`,
  `$$\\text{<img src=x onerror=${script}>}$$`,
  `$$\\href{javascript:${script}}{x}$$`,
  `$$\\htmlClass{x" onclick="${script}}{y}$$`,
  `$$\\includegraphics{javascript:${script}}$$`,
  `\`\`\`math\n\\text{</annotation><script>${script}</script>}\n\`\`\``,
  `[x](/user_uploads/1/a"onerror="${script}.png)`,
  `<math><mtext><img src=/user_uploads/x onerror=${script}></mtext></math>`,
  `a|<script>${script}</script>\n-|-\n"><b onclick=${script}>|x`,
  `&lt;script&gt;${script}&lt;/script&gt;`,
  `&#x3C;img src=x onerror=${script}&#x3E;`,
];

/** Users and channels named like the vectors, so that mentions and links contain them. */
const names = vectors.flatMap((v) => [...v.matchAll(/[@#]\*+([^*]+?)\*+/g)]).map((m) => m[1] ?? '');
const lookups = {
  users: names.map((full_name, id) => ({ id, full_name })),
  groups: names.map((name, id) => ({ id, name })),
  channels: names.flatMap((name, id) => [{ id, name: name.split('>')[0] ?? '' }]),
};

const allowedTag =
  /^<(?:\/?(?:a|br|code|del|em|span|strong|time|blockquote|div|hr|li|ol|p|pre|ul|h[1-6]|table|tbody|td|th|thead|tr|math|semantics|annotation|m[a-z]+)(?: [a-z-]+="[^"<>]*")*|img class="image-loading-placeholder" src="\/api\/image-loading\.svg")>$/;
const allowedAttribute =
  /^(?:href|title|class|style|start|datetime|aria-hidden|aria-label|role|data-(?:stream|user|user-group)-id|data-code-language|src|xmlns|encoding|display|(?:row|column)(?:align|lines|spacing)|(?:min|max|math)size|math(?:variant|color|background)|[lr]space|accent(?:under)?|stretchy|fence|separator|width|height|depth|voffset|scriptlevel|displaystyle|linethickness|linebreak|notation)$/;

function problems(html: string): string[] {
  const tags = html.match(/<[^>]*>?/g) ?? [];
  const attributes = tags.flatMap((tag) => [...tag.matchAll(/ ([a-z-]+)="([^"]*)"/g)]);
  return [
    ...tags.filter((tag) => !allowedTag.test(tag)),
    ...attributes.filter(([, name = '']) => !allowedAttribute.test(name)).map(([whole]) => whole),
    ...attributes
      .filter(
        ([, name, value = '']) =>
          name === 'href' && !/^(?:https?:\/\/|mailto:|\/[^/\\]|#)/.test(value),
      )
      .map(([whole]) => whole),
  ];
}

describe('a script', () => {
  test.each(vectors)('is harmless after rendering: %s', (vector) => {
    for (const content of [
      vector,
      `> ${vector}`,
      `- ${vector}`,
      `**${vector}**`,
      `[${vector}](/a)`,
    ]) {
      expect(problems(renderMarkdown(content, lookups).html)).toEqual([]);
    }
  });

  test.each(vectors)('is harmless after sanitize() alone: %s', (vector) => {
    expect(problems(sanitize(vector))).toEqual([]);
  });

  test.each(['ftp://x.org', 'tel:1', 'data:text/html,x', '//x.org', 'javascript:x'])(
    'sanitize() removes the link to %s',
    (href) => expect(sanitize(`<a href="${href}">x</a>`)).toBe('<a>x</a>'),
  );

  test('the checks of this file recognize harmful HTML', () => {
    for (const bad of [
      '<script>',
      '<p onclick="x">',
      '<a href="javascript:x">',
      '<img src="x">',
      '<p',
    ]) {
      expect(problems(bad)).not.toEqual([]);
    }
  });
});

const pieces = fc.oneof(
  fc.constantFrom(
    '**',
    '*',
    '_',
    '~~',
    '`',
    '```',
    '```quote\n',
    '```spoiler h\n',
    '> ',
    '- ',
    '1. ',
  ),
  fc.constantFrom(
    '\n',
    '\n\n',
    '    ',
    '# ',
    'a|b\n-|-\n',
    '|',
    '[',
    '](',
    '](http://x.y)',
    ')',
    '!',
  ),
  fc.constantFrom(
    '@**Iago**',
    '@**',
    '|12**',
    '#**Verona>t**',
    '#**',
    '<time:',
    '<',
    '>',
    '<http://a.b>',
  ),
  fc.constantFrom(
    'a.com',
    'x@y.zz',
    'http://a.b/c',
    '&amp;',
    '&',
    '"',
    "'",
    '\\',
    '$$',
    '$$x^2$$',
    '```math\n',
    '[i](/user_uploads/1/i.png)',
    'javascript:',
  ),
  fc.constantFrom('word', 'é', '👍', '\ud800', '\0', '\u0001', '\t', ' ', ' onload=', ...vectors),
);
const anyText = fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(''));

function isBalanced(html: string): boolean {
  const open: string[] = [];
  for (const [, end, tag = ''] of html.matchAll(/<(\/?)([a-z0-9]+)/g)) {
    if (tag === 'br' || tag === 'hr' || tag === 'img') continue;
    if (end !== '/') open.push(tag);
    else if (open.pop() !== tag) return false;
  }
  return open.length === 0;
}

test('any text renders as well-formed, harmless HTML without nested links', () => {
  const users = [{ id: 12, full_name: 'Iago' }];
  const channels = [{ id: 5, name: 'Verona' }];
  const property = fc.property(anyText, (content) => {
    const { html } = renderMarkdown(content, { users, channels, previewsImages: true });
    expect(problems(html)).toEqual([]);
    expect(isBalanced(html)).toBe(true);
    expect(html).not.toMatch(/<a [^>]*>(?:(?!<\/a>).)*<a /s);
  });
  fc.assert(property, { numRuns: 3000 });
});

test('HTML of harmless tags alone is what the sanitizer would return', () => {
  const users = [{ id: 12, full_name: 'Iago' }];
  const property = fc.property(anyText, (content) => {
    const { html } = renderMarkdown(content, { users });
    // A tag that is removed: the rest is parsed.
    expect(sanitize(`${html}<nothing></nothing>`)).toBe(html);
  });
  fc.assert(property, { numRuns: 3000 });
});

const fill = (piece: string, size = 10_000) =>
  piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const stairs = (step: string, end: string) =>
  fill(Array.from({ length: 140 }, (_, i) => step.repeat(i) + end).join('\n'));

const bombs: Record<string, string> = {
  'nested quotes': fill('>'),
  'spaced quotes': fill('> '),
  'stairs of quotes': stairs('>', 'x'),
  'stairs of lists': stairs(' ', '- x'),
  'nested lists': fill('- '),
  'numbered lists': fill('1. '),
  'quotes of lists': fill('> - '),
  'nested fences': fill('```quote\n'),
  'pairs of fences': fill('```quote\n```\n'),
  'two kinds of fences': fill('~~~quote\n```spoiler x\n'),
  'strong and underscores': fill('**_'),
  'opened emphasis': fill('*a **b ~~c '),
  'closed emphasis': fill('a* b** c~~ '),
  'deep emphasis': fill('*a ', 5000) + fill('a* ', 5000),
  'opened brackets': fill('['),
  'nested brackets': fill('[', 5000) + fill(']', 5000),
  'opened images': fill('!['),
  'opened links': fill('[a]('),
  'links in links': fill('[[a](http://b) '),
  'link titles': fill('[a](b "'),
  parentheses: `[a](${fill('(')}`,
  backticks: stairs('`', ' '),
  'wide rows': fill('|'),
  'wide short table': `${fill('a|', 3000)}\n${fill('-|', 3000)}\n${fill('|\n', 4000)}`,
  'long link': `http://${fill('a')}`,
  'links in a row': fill('http://a.b/'),
  schemes: fill('http:'),
  slashes: fill('http://'),
  'parentheses in a link': `http://a.com/${fill('()')}`,
  domains: fill('a.com'),
  'foreign domains': fill('пример.рф '),
  'mail addresses': fill('a.b@'),
  entities: fill('&amp'),
  times: fill('<time:'),
  'auto links': fill('<a:'),
  mentions: fill('@**'),
  'many mentions': fill('@**Iago** '),
  'channel links': fill('#**a>b'),
  math: fill('$$a'),
  formulas: fill('$$x^2$$ '),
  'nested math': `$$${'\\frac{'.repeat(300)}x$$`,
  'deep math': `$$${'{'.repeat(990)}x${'}'.repeat(990)}$$`,
  'roots of math': `$$${'\\sqrt{'.repeat(280)}x${'}'.repeat(280)}$$`,
  'fences of math': fill('```math\nx_1\n```\n'),
  'definitions of math': `$$\\def\\a{${'x'.repeat(900)}}${'\\a'.repeat(300)}$$`,
  'links to images': fill('[a](/user_uploads/a.png) '),
  'empty lines': fill('\n'),
  lines: fill('a\n'),
  spaces: fill(' '),
  tabs: fill('\t'),
  accents: fill('\u0301'),
  'half characters': fill('\ud800'),
  colons: fill(':a'),
  'names of emoji': fill(':x:'),
  'emoji of one character': fill('\u{1f389}'),
  'flags and families': fill('\u{1f1e9}\u{1f1ea}\u{1f469}\u200d'),
  zeros: fill('\0'),
};

describe('a text bomb renders in bounded time and size', () => {
  const lookups = { users: [{ id: 12, full_name: 'Iago' }], previewsImages: true };

  test.each(Object.entries(bombs))('%s', (_, content) => {
    const rounds = [1, 2, 3].map(() =>
      cpuMs(() => {
        mentionNames(content);
        expect(renderMarkdown(content, lookups).html.length).toBeLessThan(200_000);
      }),
    );
    expect(Math.min(...rounds)).toBeLessThan(150);
  });

  const depth = (html: string, tag: string) => {
    let open = 0;
    return Math.max(
      0,
      ...(html
        .match(new RegExp(`</?${tag}\\b`, 'g'))
        ?.map((t) => (t[1] === '/' ? open-- : ++open)) ?? []),
    );
  };

  test.each([
    [fill('> ', 400), 'blockquote'],
    [fill('```quote\n', 900), 'blockquote'],
    [`${fill('```quote\n', 90)}${fill('> ', 100)}`, 'blockquote'],
    [fill('- ', 400), 'ul'],
    [fill('*a ', 300) + fill('a* ', 300), 'em'],
  ])('nests at most 20 levels deep and keeps its text: %#', (content, tag) => {
    const { html } = renderMarkdown(`${content} end`);
    expect(depth(html, tag)).toBeGreaterThanOrEqual(10);
    expect(depth(html, tag)).toBeLessThanOrEqual(20);
    expect(html).toContain('end');
  });
});
