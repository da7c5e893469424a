// Writes the command of a push bouncer alone, with all that it imports, to a folder:
// npm run bundle-bouncer -- FOLDER. In a few files it starts faster and takes 25 MB less memory than in
// the 800 modules that it is made of (docs/decisions/0051).
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Plugin, rolldown } from 'rolldown';

import { readManifest } from './manifest.ts';

const root = join(import.meta.dirname, '..');
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder to write to');
// An older bundle is replaced. Whatever else is there would be lost.
if (
  existsSync(folder) &&
  readdirSync(folder).length > 0 &&
  !existsSync(join(folder, 'bellhop.js'))
) {
  console.error(
    `${folder} has other files: name a folder that is empty, new or of an older bundle.`,
  );
  process.exit(1);
}

const [cli, botCli] = ['cli', 'bot-cli'].map((name) =>
  readManifest(join(root, 'packages', name, 'package.json')),
);
const others = Object.keys({ ...cli?.optionalDependencies, ...botCli?.optionalDependencies });

/** Packages with migrations, which are read at run time. */
const migrated = ['jobs', 'bouncer'];

/**
 * Adapts the files that modules find by their own place, and includes the modules that they
 * require at run time.
 */
const inOneFolder: Plugin = {
  name: 'in-one-folder',
  transform(code, path) {
    if (!path.startsWith(join(root, 'packages'))) return null;
    const name = migrated.find((one) => path.startsWith(join(root, 'packages', one)));
    return code
      .replace("new URL('../migrations/'", `new URL('./migrations/${name}/'`)
      .replace('const require = createRequire(import.meta.url);', '');
  },
};

const bundle = await rolldown({
  input: join(root, 'packages/cli/bin/bellhop.js'),
  platform: 'node',
  external: (id) => others.includes(id.split('/', 2).join('/')) || id === 'pg-native',
  plugins: [inOneFolder],
});
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { output } = await bundle.generate({
  // Names stay, for logs and stack traces.
  minify: { compress: true, mangle: { keepNames: true }, codegen: true },
  comments: { legal: true, annotation: false, jsdoc: false },
});
// V8 keeps a source with one character above Latin-1 in two bytes for each character.
const escaped = (code: string): string =>
  code.replaceAll(
    /[\u0100-\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
for (const file of output)
  if (file.type === 'chunk') writeFileSync(join(folder, file.fileName), escaped(file.code));
for (const name of migrated)
  cpSync(join(root, `packages/${name}/migrations`), join(folder, 'migrations', name), {
    recursive: true,
  });
writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
