import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readManifest } from '../scripts/manifest.ts';
import { publishedManifest } from '../scripts/published-manifest.ts';
import { root } from './support/source-files.ts';

const manifestOf = (name: string) => readManifest(join(root, 'packages', name, 'package.json'));

test('what a bouncer alone does without is a dependency of the published command, so that npm on an old Node does not leave it out', () => {
  const cli = manifestOf('cli');
  const optional = Object.keys(cli.optionalDependencies ?? {});
  expect(optional).toContain('@bellhop/server');
  const workspaces = [cli, ...optional.map((name) => manifestOf(name.replace('@bellhop/', '')))];
  const published = publishedManifest(cli, workspaces);
  const versions = Object.fromEntries(optional.map((name) => [name, cli.version]));
  expect(published).toMatchObject({
    dependencies: { pino: cli.dependencies?.['pino'], ...versions },
  });
  expect(published).not.toHaveProperty('optionalDependencies');
});

test('packages of one platform stay optional in a published manifest', () => {
  const postgres = manifestOf('postgres');
  const { optionalDependencies } = postgres;
  expect(Object.keys(optionalDependencies ?? {})).not.toEqual([]);
  expect(publishedManifest(postgres, [postgres])).toMatchObject({ optionalDependencies });
});
