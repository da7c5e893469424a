// Builds the pages of the console into dist/browser. Run by `npm run build` and, when sources changed,
// by `npm start`.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'vite';

import { iconsPlugin } from './icons-plugin.ts';
import { layersPlugin } from './layers-plugin.ts';
import { smallZodPlugin } from './small-zod-plugin.ts';
import { sourceHash } from './source-hash.ts';
import { withoutDocsPlugin } from './without-docs-plugin.ts';

const root = fileURLToPath(new URL('../browser/', import.meta.url));
const target = new URL('../dist/browser/', import.meta.url);
const assets = new URL('assets/', target);
const hash = await sourceHash();

/** Each page runs its own entry, not that of the other page. */
const isNoEntry = (id: string) => !/(\.html|[\\/]main[\w-]*\.tsx)(\?|$)/.test(id);

// Tests set another value, with which Vite would write files and lines into every element.
process.env['NODE_ENV'] = 'production';
const result = await build({
  root,
  base: '/console/',
  configFile: false,
  logLevel: 'error',
  cacheDir: fileURLToPath(new URL('../node_modules/.vite/', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  plugins: [iconsPlugin(), layersPlugin(), withoutDocsPlugin(), smallZodPlugin()],
  resolve: {
    alias: [
      { find: /^zod$/, replacement: fileURLToPath(new URL('../browser/zod.ts', import.meta.url)) },
    ],
  },
  build: {
    outDir: fileURLToPath(target),
    // Two builds may run at once; both write the same files.
    emptyOutDir: false,
    target: 'es2024',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The code of the first view is one file: shared pieces would cut it into many small files,
    // which compress worse.
    rolldownOptions: {
      input: ['index.html', 'bouncer.html'].map((page) => join(root, page)),
      output: {
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'], test: isNoEntry }] },
      },
    },
  },
});

const names = new Set(
  [result]
    .flat()
    .flatMap((one) => ('output' in one ? one.output : []))
    .map(({ fileName }) => fileName.replace('assets/', '')),
);
for (const name of await readdir(assets)) {
  if (!names.has(name.replace(/\.gz$/, ''))) await rm(new URL(name, assets), { force: true });
  else if (/\.(css|js)$/.test(name))
    await writeFile(
      new URL(`${name}.gz`, assets),
      gzipSync(await readFile(new URL(name, assets)), { level: 9 }),
    );
}
await writeFile(new URL('sources.txt', target), hash ?? '');
