import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { startProgram } from '../support/program.ts';
import { median } from './statistics.ts';

/** How long a service is left alone before its memory is read. */
const REST_MS = 3_000;

/** Writes one service alone to a temporary folder, and returns the folder. */
export async function bundleService(
  stack: AsyncDisposableStack,
  service: 'bouncer' | 'server',
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-bench-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const script = join(import.meta.dirname, '../../scripts/bundle.ts');
  execFileSync(process.execPath, [script, service, folder]);
  return folder;
}

interface StartOptions {
  readonly service: 'bouncer' | 'server';
  readonly rounds: number;
  readonly env: Readonly<Record<string, string>>;
  /** The folder of a bundle. Default: the sources. */
  readonly folder?: string;
}

/** Seconds from the start of a service until it listens, and its memory in MB three seconds later. */
export async function startTimes({
  service,
  rounds,
  env,
  folder,
}: StartOptions): Promise<{ readonly seconds: number[]; readonly atRest: number }> {
  const seconds: number[] = [];
  const atRest: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    const program = await startProgram([service], {
      env,
      ready: /"msg":"listening"/,
      ...(folder === undefined ? {} : { bin: join(folder, 'bellhop.js') }),
    });
    seconds.push((performance.now() - begun) / 1_000);
    await sleep(REST_MS);
    atRest.push(residentMegabytes(program.child.pid ?? 0));
    await program.signal('SIGTERM');
  }
  return { seconds, atRest: median(atRest) };
}

/** NaN where there is no /proc. */
export function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_000;
  } catch {
    return Number.NaN;
  }
}
