import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { type DefaultTheme, defineConfig } from 'vitepress';

// The pages are those of the repository: README.md, docs/, CONTRIBUTING.md and the README of examples/.
const root = join(import.meta.dirname, '../../..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'examples/README.md',
  'docs/**/*.md',
];
const isPage = (path: string) =>
  path.endsWith('.md') && pages.some((pattern) => posix.matchesGlob(path, pattern));

/** The address of a page: of `docs/bots.md` it is `/docs/bots`, of a README its folder. */
const addressOf = (path: string) =>
  `/${path.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '')}`;

/** The path in the repository that a link of a page leads to; undefined if it leads elsewhere. */
function targetOf(page: string, href: string): { path: string; hash: string } | undefined {
  if (/^([a-z]+:|#|\/)/i.test(href)) return undefined;
  const [link = '', hash] = href.split('#');
  const path = posix.join(posix.dirname(page), link).replace(/\/$/, '');
  const readme = posix.join(path, 'README.md');
  const isFolder = !path.endsWith('.md') && existsSync(join(root, readme));
  return { path: isFolder ? readme : path, hash: hash ? `#${hash}` : '' };
}

/** The fragment of a heading, as GitHub makes it. */
const fragmentOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const capitalized = (name: string) =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('`', '');

/** The four ways in and the records, as the first page of the docs lists them. */
function sidebar(): DefaultTheme.SidebarItem[] {
  const text = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const [, ...sections] = text.split(/^## /m);
  return sections.map((section) => ({
    text: section.split('\n')[0] ?? '',
    items: [...section.matchAll(/(?<!!)\[(.+?)\]\((.+?)\)/g)].flatMap(
      ([, name = '', href = '']) => {
        const target = targetOf('docs/README.md', href);
        return target && isPage(target.path)
          ? [{ text: capitalized(name), link: addressOf(target.path) + target.hash }]
          : [];
      },
    ),
  }));
}

export default defineConfig({
  title: 'Bellhop',
  srcDir: root,
  srcExclude: ['{packages,test,packed,node_modules,scripts}/**', 'examples/*/**'],
  outDir: join(import.meta.dirname, '../dist'),
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, '$1index.md'),
  cleanUrls: true,
  // A link to a page that does not exist fails the build; one to the reader's own server does not.
  ignoreDeadLinks: 'localhostLinks',
  vite: {
    // The pages are outside the folder that has vue, so Vite would not find it for them.
    plugins: [
      {
        name: 'vue-of-this-folder',
        enforce: 'pre',
        resolveId: (id, _importer, { ssr }) =>
          ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : undefined,
      },
    ],
    build: { chunkSizeWarningLimit: 4000 },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Examples', link: '/examples/' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
  },
  markdown: {
    // Links of the pages name headings as GitHub does.
    anchor: { slugify: fragmentOf },
    config: (md) => {
      // A link to a page leads to its address here. Sources are not here: their links become text.
      md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
        const page = posix.relative(root, (env as { path: string }).path);
        for (const { children } of tokens) {
          const isLink: boolean[] = [];
          for (const token of children ?? []) {
            if (token.type === 'link_open') {
              const target = targetOf(page, token.attrGet('href') ?? '');
              isLink.push(!target || isPage(target.path));
              if (target) token.attrSet('href', addressOf(target.path) + target.hash);
            }
            const isPair = token.type === 'link_open' || token.type === 'link_close';
            if (isPair && isLink.at(-1) === false) token.type = 'text';
            if (isPair && token.nesting === -1) isLink.pop();
          }
        }
      });
    },
  },
});
