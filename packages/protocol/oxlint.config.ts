import { join } from 'node:path';

import { defineConfig } from 'oxlint';

// @boundaries-ignore The configurations of the linter share it, and no package has it at run time.
import { requireListed, rulesOfAll, type Stair, stairRules } from '../../scripts/stair.ts';

/**
 * The folders of the contract by who speaks. A folder imports from rows before its own, types included;
 * never from its own row or a later one.
 */
const stair: Stair = [
  // What a value is: ids, limits, times, words.
  ['values'],
  // What every service says: endpoints, errors, events, parameters, headers, OpenAPI.
  ['wire'],
  // What a push is, between chat server and bouncer.
  ['push'],
  // What a bouncer answers.
  ['bouncer'],
  // What the chat server answers, noun by noun.
  ['chat'],
  // What the chat server asks of bots, and what it tells of that.
  ['webhooks'],
  // The whole API of the chat server; what only a sandbox answers.
  ['api', 'sandbox'],
  // The API for programs without zod.
  ['plain'],
  ['exports'],
];

requireListed(join(import.meta.dirname, 'src'), stair);

export default defineConfig({
  extends: [rulesOfAll],
  overrides: stairRules(stair),
});
