// Builds the pages of the console into dist/browser. Run by `npm run build` and, when sources changed,
// by `npm start`.
import {
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'vite';

import { iconsPlugin } from './icons-plugin.ts';
import { layersPlugin } from './layers-plugin.ts';
import { shapesPlugin } from './shapes-plugin.ts';
import { sourceHash } from './source-hash.ts';
import { zodPlugin } from './zod-plugin.ts';

const root = fileURLToPath(new URL('../browser/', import.meta.url));
const dist = new URL('../dist/', import.meta.url);
const target = new URL('browser/', dist);
await mkdir(new URL('assets/', target), { recursive: true });
await using made = await mkdtempDisposable(fileURLToPath(new URL('browser-', dist)));
const hash = await sourceHash();

/** Each page runs its own entry, not that of the other page. */
const isNoEntry = (id: string) => !/(\.html|[\\/]main[\w-]*\.tsx)(\?|$)/.test(id);

// Tests set another value, with which Vite would write files and lines into every element.
process.env['NODE_ENV'] = 'production';
await build({
  root,
  base: '/console/',
  configFile: false,
  logLevel: 'error',
  cacheDir: fileURLToPath(new URL('../node_modules/.vite/', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  plugins: [iconsPlugin(), layersPlugin(), shapesPlugin(), zodPlugin()],
  build: {
    outDir: made.path,
    emptyOutDir: false,
    target: 'es2024',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The code of the first view is one file, and what Chat shares with its dialogs another one: shared
    // pieces would cut it into many small files, which compress worse.
    rolldownOptions: {
      input: ['index.html', 'bouncer.html'].map((page) => join(root, page)),
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], test: isNoEntry },
            { name: 'conversations', test: /browser[\\/]chat[\\/][\w-]+\.tsx?$/, minShareCount: 2 },
          ],
        },
      },
    },
  },
});

const built = pathToFileURL(`${made.path}/`);
for (const name of await readdir(new URL('assets/', built))) {
  const file = new URL(`assets/${name}`, built);
  if (/\.(css|js)$/.test(name))
    await writeFile(`${fileURLToPath(file)}.gz`, gzipSync(await readFile(file), { level: 9 }));
}
await writeFile(new URL('sources.txt', built), hash ?? '');

// A server may serve the files meanwhile, and another build may run: each file appears as a whole, and a
// page after all that it loads.
const assets = await readdir(new URL('assets/', built));
const pages = (await readdir(built)).filter((name) => name !== 'assets');
for (const name of [...assets.map((asset) => `assets/${asset}`), ...pages])
  await rename(new URL(name, built), new URL(name, target));
for (const name of await readdir(new URL('assets/', target)))
  if (!assets.includes(name)) await rm(new URL(`assets/${name}`, target), { force: true });
