import { join } from 'node:path';

import { defineConfig } from 'oxlint';

// @boundaries-ignore The configurations of the linter share it, and no package has it at run time.
import { requireListed, rulesOfAll, type Stair, stairRules } from '../../scripts/stair.ts';

/**
 * The folders and files of the commands, from the bottom. One imports from rows before its own, types
 * included; never from its own row or a later one.
 */
const stair: Stair = [
  // How a command is written, and what it prints.
  ['command-line', 'until-signal'],
  // What the folder of a bot sets.
  ['environment-beside'],
  // What a running sandbox tells other programs.
  ['sandbox-file'],
  ['bot', 'conform'],
  ['try'],
  // The list of commands; what the whole command imports; the program.
  ['commands'],
  ['exports', 'main'],
];

requireListed(join(import.meta.dirname, 'src'), stair);

export default defineConfig({
  extends: [rulesOfAll],
  // Commands print.
  rules: { 'no-console': 'off' },
  overrides: stairRules(stair),
});
