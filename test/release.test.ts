import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { root } from './support/source-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly engines?: { readonly node?: string };
  readonly devDependencies?: Readonly<Record<string, string>>;
}
const manifestAt = (path: string) => JSON.parse(read(path)) as Manifest;
const ours = manifestAt('package.json');
const manifests = files
  .filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))
  .map(manifestAt);

/** What the texts of the repository say in a place of a pattern, by file. Records tell of their time. */
const said = (pattern: RegExp) =>
  files
    .filter(
      (path) =>
        !/^(docs\/decisions|test)\/|\.test\.ts$|^package-lock|\.(?:webp|png|woff2)$/.test(path),
    )
    .flatMap((path) =>
      [...read(path).matchAll(pattern)].map(([, found = '']) => `${path}: ${found}`),
    );
const differing = (places: readonly string[], answer: string) =>
  places.filter((place) => !place.endsWith(`: ${answer}`));

describe('which Node', () => {
  const oldest = ours.engines?.node?.replace('>=', '') ?? '';
  const major = ours.devDependencies?.['node']?.split('.')[0] ?? '';

  test('the oldest is the same in every package and in every text', () => {
    expect(oldest).toMatch(/^\d+\.\d+$/);
    for (const { name, engines } of manifests)
      expect([name, engines?.node]).toEqual([name, `>=${oldest}`]);
    const places = said(/(?<!This bot needs )Node (\d+(?:\.\d+)*) or newer/g);
    expect(places.length).toBeGreaterThan(20);
    expect(differing(places, oldest)).toEqual([]);
  });

  test('the oldest for a project of a bot is the same in its manifest, its check and the page', () => {
    const [, first, second] =
      /oldestNode = \[(\d+), (\d+)\]/.exec(read('packages/cli/src/bot/new/suitable-node.ts')) ?? [];
    const ofBots = `${first}.${second}`;
    const places = [
      ...said(/This bot needs Node (\d+(?:\.\d+)*) or newer/g),
      ...said(/A bot's project needs (\d+(?:\.\d+)*)/g),
    ];
    expect(places).toEqual([
      `packages/bot/bin/check-node.js: ${ofBots}`,
      `docs/support.md: ${ofBots}`,
    ]);
  });

  test('the one to install is the same in every text, container and workflow, and the one of npm ci', () => {
    const places = [
      ...said(/[Ii]nstall Node (\d+)/g),
      ...said(/\bnode:(\d+)-/g),
      ...said(/node-version: (\d+)/g),
      ...said(/its own Node (\d+)/g),
    ];
    expect(places.length).toBeGreaterThan(6);
    expect(differing(places, major)).toEqual([]);
  });
});

describe('a release', () => {
  test('has one version, which the changelog describes first', () => {
    for (const { name, version } of manifests)
      expect([name, version]).toEqual([name, ours.version]);
    expect(/^## (.*)$/m.exec(read('CHANGELOG.md'))?.[1]).toMatch(
      new RegExp(`^${ours.version.replaceAll('.', String.raw`\.`)}(?: |,|$)`),
    );
  });

  test('names in NOTICE whose work it contains and installs (npm run notice writes it)', () => {
    expect(read('NOTICE')).toBe(
      execFileSync(process.execPath, [join(root, 'scripts/notice.ts')], { encoding: 'utf8' }),
    );
  });

  test(
    'has a bill of materials that names every package of the lock file',
    { timeout: 60_000 },
    async () => {
      // As the page types it: npm writes lines of its own into a file that is not --silent.
      const [, typed = ''] =
        /^npm (run .*sbom) > \S+\.cdx\.json$/m.exec(read('CONTRIBUTING.md')) ?? [];
      expect(typed).not.toBe('');
      expect(read('SECURITY.md')).toContain(`\`npm ${typed}\``);
      const { stdout } = await promisify(execFile)('npm', typed.split(' '), {
        cwd: root,
        maxBuffer: 50_000_000,
        shell: process.platform === 'win32',
      });
      const bill = JSON.parse(stdout) as {
        bomFormat: string;
        metadata: { component: { purl: string } };
        components: { purl: string }[];
      };
      expect(bill).toMatchObject({
        bomFormat: 'CycloneDX',
        metadata: { component: { purl: `pkg:npm/${ours.name}@${ours.version}` } },
      });
      const listed = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl)));
      const { packages } = JSON.parse(read('package-lock.json')) as {
        packages: Record<string, { version?: string; link?: boolean; name?: string }>;
      };
      const locked = Object.entries(packages)
        .filter(([place, { link }]) => place.includes('node_modules/') && !link)
        .map(
          ([place, { name, version }]) =>
            `pkg:npm/${name ?? place.split('node_modules/').at(-1)}@${version}`,
        );
      expect(locked.filter((purl) => !listed.has(purl))).toEqual([]);
    },
  );
});
