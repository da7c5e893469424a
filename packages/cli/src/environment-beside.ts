import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';

/** The variables of the `.env` beside a bot, overridden by those of `base`. Reads the file each time. */
export function environmentBeside(path: string, base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  try {
    return { ...parseEnv(readFileSync(join(dirname(path), '.env'), 'utf8')), ...base };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return base;
    throw error;
  }
}
