import { describe, expect, test, vi } from 'vitest';

import { cpuMs } from './cpu-ms.fixture.ts';
import { renderMarkdown } from './render-markdown.ts';
import { topicLinks } from './topic-links.ts';
import { isWebTemplate } from './url-template.ts';

const issue = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.test/{id}' };
const commit = {
  pattern: '(?P<org>[a-z]+)/(?P<repo>[a-z]+)@(?P<sha>[0-9a-f]{7})',
  url_template: 'https://git.test/{org}/{repo}/commit/{sha}',
};
const html = (content: string, ...linkifiers: (typeof issue)[]) =>
  renderMarkdown(content, { linkifiers }).html;

describe('linkifiers in messages', () => {
  test.each([
    ['#12', '<a href="https://issues.test/12">#12</a>'],
    ['(#12)', '(<a href="https://issues.test/12">#12</a>)'],
    ['**#12**', '<strong><a href="https://issues.test/12">#12</a></strong>'],
    ['#1 #2', '<a href="https://issues.test/1">#1</a> <a href="https://issues.test/2">#2</a>'],
    ['a#12', 'a#12'],
    ['#12a', '#12a'],
    ['`#12`', '<code>#12</code>'],
    ['[see #12](https://x.test)', '<a href="https://x.test">see #12</a>'],
  ])('render %j', (content, expected) => expect(html(content, issue)).toBe(`<p>${expected}</p>`));

  test('insert several groups', () => {
    expect(html('see acme/site@0123abc', issue, commit)).toContain(
      'href="https://git.test/acme/site/commit/0123abc"',
    );
  });

  test('insert a group into the host', () => {
    const rule = { pattern: 'at:(?P<team>[a-z]+)', url_template: 'https://go-{team}.x.test/' };
    expect(html('at:web', rule)).toContain('href="https://go-web.x.test/"');
  });

  test('encode the match of a group', () => {
    const any = { pattern: 'go:(?P<q>\\S+)', url_template: 'https://x.test/?q={q}' };
    expect(html('go:a"b&c/d', any)).toContain('href="https://x.test/?q=a%22b%26c%2Fd"');
  });

  test.each([
    ['https://{host}.x.test/', 'evil.com/#'],
    ['https://x.test{/host}', '/evil.com/'],
    ['https://x.test/{+host}', '//evil.com/'],
    ['https://x.test/..{+host}', '@evil.com/'],
  ])('lead %j only to hosts of x.test', (url_template, value) => {
    const rule = { pattern: 'go:(?P<host>\\S+)', url_template };
    const [, link] = /href="([^"]*)"/.exec(html(`go:${value}`, rule)) ?? [];
    if (link !== undefined) expect(new URL(link).hostname).toMatch(/(^|\.)x\.test$/);
  });

  test('stop searching after a time: 100 hostile patterns and 10,000 characters do not hang', () => {
    const linkifiers = Array.from({ length: 100 }, (_, at) => ({
      pattern: `(?P<x>((a|b){1,20}(b|a)+){1,4}(a+b+)+c{0,${at}})`,
      url_template: 'https://x.test/{x}',
    }));
    renderMarkdown('ab', { linkifiers });
    expect(cpuMs(() => renderMarkdown('ab'.repeat(4999), { linkifiers }))).toBeLessThan(3000);
  });
});

describe('the time limit of linkifiers', () => {
  test('does not count a pause of the process: its linkifiers still match', () => {
    const before = performance.now();
    let pauses = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => before + 1000 * ++pauses);
    try {
      expect(html('#12', issue)).toContain('href="https://issues.test/12"');
    } finally {
      now.mockRestore();
    }
  });

  test('does not count the first compilation: the last of 300 new linkifiers still matches', () => {
    const rules = Array.from({ length: 300 }, (_, at) => ({
      pattern: `first-${at}-(?P<id>[0-9]{1,50}(?:\\p{L}|\\p{N}){0,20})`,
      url_template: 'https://x.test/{id}',
    }));
    expect(html('first-299-7', ...rules)).toContain('href="https://x.test/7"');
  });
});

describe('linkifiers in topics', () => {
  test('come in their order among addresses', () => {
    expect(topicLinks('#3 on https://y.test and #4', [issue])).toEqual([
      { text: '#3', url: 'https://issues.test/3' },
      { text: 'https://y.test', url: 'https://y.test' },
      { text: '#4', url: 'https://issues.test/4' },
    ]);
  });

  test('win over an address that they overlap', () => {
    const rule = { pattern: 'x\\.org/(?P<id>[0-9]+)', url_template: 'https://short.test/{id}' };
    expect(topicLinks('x.org/5', [rule])).toEqual([
      { text: 'x.org/5', url: 'https://short.test/5' },
    ]);
  });
});

test.each([
  ['https://x.test/{id}', true],
  ['https://x.test:8080{?q}', true],
  ['https://{project}.x.test', true],
  ['https://x.test{+path}', false],
  ['https://x.test{.name}', false],
  ['https://{+host}/', false],
  ['http{+host}', false],
  ['javascript:alert({id})', false],
  ['https:///{id}', false],
])('isWebTemplate(%j) is %j', (template, expected) =>
  expect(isWebTemplate(template)).toBe(expected),
);
