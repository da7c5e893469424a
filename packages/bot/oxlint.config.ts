import { join } from 'node:path';

import { defineConfig } from 'oxlint';

// @boundaries-ignore The configurations of the linter share it, and no package has it at run time.
import { requireListed, rulesOfAll, type Stair, stairRules } from '../../scripts/stair.ts';

/**
 * The folders and files of the framework, from the bottom. One imports from rows before its own, types
 * included; never from its own row or a later one.
 */
const stair: Stair = [
  // Time, errors and what a delivery is.
  ['bot-error', 'clock', 'delivery', 'key-mutex', 'mentions', 'message-order', 'role-name'],
  ['signature', 'stop-on-signals', 'hooks'],
  // What the bot says, and where it keeps things.
  ['rest', 'stores', 'webhook-token', 'require-node', 'body-text', 'refusal-log'],
  // Whether a request is a genuine delivery.
  ['open-delivery'],
  // What is remembered of people and conversations, and what is written down.
  ['choices', 'sessions', 'follow-ups', 'trust', 'observe'],
  // What a bot declares.
  ['bot-options', 'commands', 'declared-names', 'dialogs'],
  ['schedules'],
  ['context'],
  // Which handler answers, and what it gets.
  ['routing'],
  ['internals', 'deliveries', 'limits'],
  ['bot-builder', 'changes', 'check-identity', 'not-started', 'open-stores'],
  // A bot, and what makes it happen.
  ['create-bot', 'runtime'],
  // Where deliveries come from.
  ['receiver', 'queue'],
  ['adapters', 'testing'],
  ['start-options'],
  ['start'],
  // What programs import.
  ['exports'],
];

requireListed(join(import.meta.dirname, 'src'), stair);

const withoutZod = ['@bellhop/protocol', '@bellhop/client', 'zod'].map((name) => ({
  name,
  allowTypeImports: true,
  message: 'A bot must not load zod: import values from its entry plain (docs/decisions/0071).',
}));

export default defineConfig({
  extends: [rulesOfAll],
  overrides: [
    { files: ['bin/**'], rules: { 'no-console': 'off' as const } },
    ...stairRules(stair, { paths: withoutZod }),
  ],
});
