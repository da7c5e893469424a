import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, expect, test } from 'vitest';

import { pages } from '../docs/examples-in.ts';
import { root } from '../support/source-files.ts';

const dist = join(root, 'scripts/docs-site/dist');
const htmlOf = (file: string) => readFileSync(join(dist, file), 'utf8');

beforeAll(async () => {
  // Packages from the cache of npm where it has them.
  const env = { ...process.env, NODE_ENV: '', npm_config_prefer_offline: 'true' };
  await promisify(execFile)('npm', ['run', 'docs:site'], { cwd: root, env });
}, 300_000);

/** The files of the site that an address without its ending may be. */
const filesOf = (path: string) => [path, `${path}.html`, posix.join(path, 'index.html')];

test('npm run docs:site makes a page of every page, whose links lead to pages and headings of the site', () => {
  const files = globSync('**/*.html', { cwd: dist });
  const wanted = pages().filter((page) =>
    /^(?:README|CONTRIBUTING|CHANGELOG|docs|examples)/.test(page),
  );
  const made = wanted.map((page) => page.replace(/README\.md$/, 'index.md').replace(/md$/, 'html'));
  expect(files).toEqual(expect.arrayContaining(made));
  const broken = files.flatMap((file) =>
    [...htmlOf(file).matchAll(/<a\b[^>]*\bhref="(\/[^"]*|#[^"]*)"/g)].flatMap(([, href = '']) => {
      const [path = '', hash = ''] = decodeURI(href).split('#');
      const target =
        path === ''
          ? file
          : filesOf(path.slice(1)).find(
              (one) => one.endsWith('.html') && existsSync(join(dist, one)),
            );
      const isThere =
        target !== undefined && (hash === '' || htmlOf(target).includes(`id="${hash}"`));
      return isThere ? [] : [`${file}: ${href}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('the search of the site finds the pages of a newcomer', () => {
  const [index = ''] = globSync('assets/chunks/*localSearchIndexroot*.js', { cwd: dist });
  const text = htmlOf(index);
  for (const page of ['/docs/bots', '/docs/push/', '/docs/self-hosting', '/CONTRIBUTING'])
    expect(text).toContain(page);
  expect(htmlOf('index.html')).toContain('Search');
});
