import { join } from 'node:path';

import { defineConfig } from 'oxlint';

// @boundaries-ignore The configurations of the linter share it, and no package has it at run time.
import { requireListed, rulesOfAll, type Stair, stairRules } from '../../scripts/stair.ts';

/**
 * The folders and files of the bouncer, from the bottom. One imports from rows before its own, types
 * included; never from its own row or a later one.
 */
const stair: Stair = [
  // Tables, how settings are read, HTTP/2, what Prometheus counts.
  ['storage', 'settings', 'http2', 'metrics', 'migrations'],
  // Apple, Google and browsers; what is written down.
  ['providers', 'keys', 'audit', 'outcomes'],
  // What chat servers have and use up.
  ['devices', 'quotas'],
  // Which senders take notifications, and which of their answers delete a device; who calls.
  ['health', 'servers'],
  // The whole configuration; what is remembered of each notification.
  ['config', 'traces'],
  // What every handler and job gets.
  ['app'],
  // One notification: made, attempted, judged.
  ['send'],
  // Notifications that wait.
  ['retry'],
  // What chat servers ask; what the operator asks, by command line or HTTP; what is measured and deleted.
  ['doors', 'operator', 'gauges', 'upkeep'],
  ['operations', 'operator-api', 'doctor'],
  ['exported-types'],
  ['bouncer'],
];

requireListed(join(import.meta.dirname, 'src'), stair);

const withoutApi = {
  name: '@bellhop/protocol',
  message:
    'A bouncer must not load the API of the chat server, which takes memory: import from the entries bouncer or contract.',
};
/** What others import, `@bellhop/bouncer` and `@bellhop/bouncer/operator`, may import all of it. */
const exported = ['bouncer', 'operator'];

export default defineConfig({
  extends: [rulesOfAll],
  overrides: stairRules(stair, { paths: [withoutApi], exported }),
});
