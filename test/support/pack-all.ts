import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { root } from './source-files.ts';

/** Builds the tarballs of all packages, unless they are up to date. */
export async function packAll(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/pack.ts')]);
}
