import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';

import { UserError } from './command-line/user-error.ts';

/**
 * The variables of the `.env` beside a bot, overridden by those of `base`. Reads the file each time.
 * Throws a UserError if there is one that cannot be read.
 */
export function environmentBeside(path: string, base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  try {
    return { ...parseEnv(readFileSync(join(dirname(path), '.env'), 'utf8')), ...base };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return base;
    throw new UserError(`.env cannot be read: ${(error as Error).message}`);
  }
}
