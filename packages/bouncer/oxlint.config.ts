import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { defineConfig } from 'oxlint';

// @boundaries-ignore The configurations of the linter share it, and no package has it at run time.
import { forbids, notBefore, rulesOfAll, type Stair } from '../../scripts/stair.ts';

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
  ['bouncer'],
];

const entries = readdirSync(join(import.meta.dirname, 'src'), { withFileTypes: true })
  .filter(({ name }) => !/\.(test|fixture)\.ts$/.test(name))
  .map(({ name }) => name.replace('.ts', ''));
const unlisted = entries.filter((name) => !stair.flat().includes(name));
if (unlisted.length > 0) throw new Error(`Add ${unlisted.join(', ')} to the rows of this file`);

const withoutApi = {
  name: '@bellhop/protocol',
  message:
    'A bouncer must not load the API of the chat server, which takes memory: import from the entries bouncer or contract.',
};
const order = (name: string) => `oxlint.config.ts has it not below ${name}.`;
/** The same for a file beside the folders. */
const beside = (name: string) => ({
  regex: String.raw`^\./(${notBefore(stair, name).join('|')})(/|\.ts$)`,
  message: order(name),
});
/** What others import, `@bellhop/bouncer` and `@bellhop/bouncer/operator`, may import all of it. */
const exported = ['bouncer', 'operator'];

export default defineConfig({
  extends: [rulesOfAll],
  overrides: stair.flat().flatMap((name) => [
    {
      files: [`src/${name}/**`],
      excludeFiles: ['src/**/*.{test,fixture}.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          { paths: [withoutApi], patterns: [forbids(notBefore(stair, name), order(name))] },
        ],
      },
    },
    {
      files: [`src/${name}.ts`],
      rules: {
        'no-restricted-imports': [
          'error',
          { paths: [withoutApi], patterns: exported.includes(name) ? [] : [beside(name)] },
        ],
      },
    },
  ]),
});
