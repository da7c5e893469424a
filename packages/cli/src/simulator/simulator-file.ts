import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { makeSecretDirectory, writeFileWhole } from '@bellhop/directory-lock';
import { z } from 'zod';

/** `simulator.json`: how other commands reach a simulator that runs alone. */
export const SimulatorFile = z.object({ control_url: z.string(), control_token: z.string() });
export type SimulatorFile = z.output<typeof SimulatorFile>;

/** BELLHOP_SIMULATOR_DIR, or `.bellhop-simulator`. */
export const simulatorDirectory = (): string =>
  process.env['BELLHOP_SIMULATOR_DIR'] || '.bellhop-simulator';

const path = (directory: string) => join(directory, 'simulator.json');

/** Writes the file; only its owner may read it. */
export async function writeSimulatorFile(directory: string, file: SimulatorFile): Promise<void> {
  await makeSecretDirectory(directory);
  await writeFileWhole(path(directory), `${JSON.stringify(file, null, 2)}\n`);
}

export const removeSimulatorFile = (directory: string): Promise<void> =>
  rm(path(directory), { force: true });

/** Reads the file; undefined if it is missing or damaged. */
export async function readSimulatorFile(directory: string): Promise<SimulatorFile | undefined> {
  try {
    return SimulatorFile.parse(JSON.parse(await readFile(path(directory), 'utf8')));
  } catch {
    return undefined;
  }
}
