import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

const Manifest = z.object({ name: z.string(), version: z.string() });
const cliManifest = new URL('../../../package.json', import.meta.url);
const botManifest = new URL('../../../../bot/package.json', import.meta.url);

/**
 * The versions of the framework that a new project depends on: the clone if this program runs from one,
 * otherwise the published packages.
 */
export async function frameworkPackages(): Promise<{ readonly bot: string; readonly cli: string }> {
  const inClone = await nameIn(botManifest).then(
    (name) => name === '@bellhop/bot',
    () => false,
  );
  const { version } = await read(cliManifest);
  const at = (manifest: URL) =>
    inClone ? `file:${dirname(fileURLToPath(manifest))}` : `^${version}`;
  return { bot: at(botManifest), cli: at(cliManifest) };
}

const read = async (manifest: URL) => Manifest.parse(JSON.parse(await readFile(manifest, 'utf8')));
const nameIn = async (manifest: URL) => (await read(manifest)).name;
