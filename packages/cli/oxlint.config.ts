import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { defineConfig } from 'oxlint';

// @boundaries-ignore The configurations of the linter share it, and no package has it at run time.
import { forbids, notBefore, rulesOfAll, type Stair } from '../../scripts/stair.ts';

/**
 * The folders of the command, from the bottom. A folder imports from rows before its own, types included;
 * never from its own row or a later one.
 */
const stair: Stair = [
  // How a command is written, and what it prints.
  ['command-line'],
  // What a running sandbox tells other programs; what the services share; commands that need nothing.
  ['completion', 'sandbox-file', 'secrets', 'service'],
  // Commands of one service or tool each.
  ['bot', 'bouncer', 'realm', 'simulator'],
  // Simulated phones, of a sandbox or of any server.
  ['conform', 'phones', 'server', 'try'],
  ['device', 'trace'],
  // Everything at once.
  ['sandbox'],
];

const unlisted = readdirSync(join(import.meta.dirname, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !stair.flat().includes(entry.name))
  .map(({ name }) => name);
if (unlisted.length > 0) throw new Error(`Add ${unlisted.join(', ')} to the rows of this file`);

export default defineConfig({
  extends: [rulesOfAll],
  // Commands print.
  rules: { 'no-console': 'off' },
  overrides: stair.flat().map((folder) => ({
    files: [`src/${folder}/**`],
    excludeFiles: ['src/**/*.{test,fixture}.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            forbids(
              [...notBefore(stair, folder), 'commands', 'bellhop'],
              `The rows of oxlint.config.ts do not have it before ${folder}.`,
            ),
          ],
        },
      ],
    },
  })),
});
