import { join } from 'node:path';

import { defineConfig } from 'oxlint';

// @boundaries-ignore The configurations of the linter share it, and no package has it at run time.
import { requireListed, rulesOfAll, type Stair, stairRules } from '../../scripts/stair.ts';

/**
 * The folders and files of the command above those of `bot-cli`, from the bottom. One imports from rows before its own, types
 * included; never from its own row or a later one.
 */
const stair: Stair = [
  // What the services share; commands that need nothing.
  ['completion', 'secrets', 'service'],
  // Commands of one service or tool each.
  ['bot', 'bouncer', 'mcp', 'simulator'],
  // Simulated phones, of a sandbox or of any server.
  ['conform', 'phones', 'server', 'try'],
  ['device', 'files', 'realm', 'trace'],
  // Everything at once.
  ['sandbox'],
  // The list of commands; the program.
  ['commands'],
  ['bellhop'],
];

requireListed(join(import.meta.dirname, 'src'), stair);

export default defineConfig({
  extends: [rulesOfAll],
  // Commands print.
  rules: { 'no-console': 'off' },
  overrides: stairRules(stair),
});
