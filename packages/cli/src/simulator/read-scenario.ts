import { readFile } from 'node:fs/promises';

import { UserError } from '@bellhop/bot-cli/command-line';
import { BadScenario, parseScenario, type Scenario } from '@bellhop/push-simulator';

/** Reads a scenario. Throws a UserError for a missing or faulty file. */
export async function readScenario(file: string): Promise<Scenario> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(
      error.code === 'ENOENT'
        ? `There is no file ${file}.`
        : `The scenario cannot be read: ${error.message}`,
    );
  });
  try {
    return parseScenario(text, file);
  } catch (error) {
    throw error instanceof BadScenario ? new UserError(error.message) : error;
  }
}
