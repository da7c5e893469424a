import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

import { sourceHash } from './source-hash.ts';

const stamp = new URL('../dist/browser/sources.txt', import.meta.url);
const LIMIT_MS = 60_000;

/**
 * Builds the console in a process of its own, if its sources changed since the last build. Does nothing
 * in an installed package, which comes built. Needs no network. Throws if the build fails.
 */
export async function buildConsole(): Promise<'built' | 'unchanged'> {
  const [hash, known] = await Promise.all([sourceHash(), readFile(stamp, 'utf8').catch(() => '')]);
  if (hash === undefined || hash === known) return 'unchanged';
  const script = fileURLToPath(new URL('./build-browser.ts', import.meta.url));
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: LIMIT_MS,
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [errors, code] = await Promise.all([text(child.stderr), closed]);
  if (code !== 0) throw new Error(`The console could not be built: ${reasonIn(errors)}`);
  return 'built';
}

/** The first lines of what the build wrote; a stack and the version of Node follow them. */
const reasonIn = (errors: string): string =>
  stripVTControlCharacters(errors)
    .trim()
    .split(/\n\s*at |\n\s*Stack backtrace/, 1)[0] ?? '';
