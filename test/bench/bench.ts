import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { bench as audience } from './audience.ts';
import { bench as botStart } from './bot-start.ts';
import { bench as changes } from './changes.ts';
import { checkoutAt } from './checkout.ts';
import { bench as consoleBench } from './console.ts';
import { disks } from './disk.ts';
import { bench as dispatch } from './dispatch.ts';
import { bench as fetch } from './fetch.ts';
import { bench as flags } from './flags.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { bench as nodes } from './nodes.ts';
import { bench as notify } from './notify.ts';
import { plotOf } from './plot.ts';
import { bench as polls } from './polls.ts';
import { bench as pushFaults } from './push-faults.ts';
import { bench as readers } from './readers.ts';
import { bench as realm } from './realm.ts';
import { bench as register } from './register.ts';
import { bench as send } from './send.ts';
import { bench as start } from './start.ts';
import { bench as unseal } from './unseal.ts';
import { bench as uses } from './uses.ts';

const benches: Record<string, (options: BenchOptions) => Promise<Measure[]>> = {
  audience,
  'bot-start': botStart,
  changes,
  console: consoleBench,
  dispatch,
  fetch,
  flags,
  nodes,
  notify,
  polls,
  'push-faults': pushFaults,
  readers,
  realm,
  register,
  send,
  start,
  unseal,
  uses,
};

/** Those that can measure the other checkout too. */
const comparable = [
  'audience',
  'changes',
  'dispatch',
  'notify',
  'polls',
  'readers',
  'register',
  'send',
  'start',
  'unseal',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    plots: { type: 'string' },
    against: { type: 'string', multiple: true, default: [] },
    disk: { type: 'string', default: 'as-is' },
    'plain-commit': { type: 'boolean', default: false },
  },
});
const against = values.against.map(checkoutAt);
const all = Object.keys(benches);
const names = positionals.length > 0 ? positionals : all;
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0)
  refuse(`There is no benchmark ${unknown.join(', ')}: choose from ${all.join(', ')}`);
const disk = disks.find((one) => one === values.disk);
const plainCommit = values['plain-commit'];
if (!disk) refuse(`There is no disk ${values.disk}: choose from ${disks.join(', ')}`);
// Nothing is measured in silence on another disk, or against something else, than what was asked for.
if (against.length > 0) requireOnly(comparable, '--against');
if (against.length > 1)
  requireOnly(['changes', 'dispatch', 'readers', 'send', 'unseal'], 'A second --against');
if (disk !== 'as-is') requireOnly(['changes', 'nodes', 'readers', 'send'], '--disk');
if (values.plots !== undefined) requireOnly(['nodes', 'realm'], '--plots');
if (plainCommit) requireOnly(['send'], '--plain-commit');
if (positionals.length === 0)
  console.log(
    `Runs ${all.join(', ')}, which takes a while; "npm run bench -- ${all[0]}" runs one. ` +
      'docs/performance.md says what each measures.',
  );
const measures: Measure[] = [];
for (const name of names) {
  const run = benches[name];
  if (!run) continue;
  console.log(`${name} ...`);
  const rows = await run({ against, disk, plainCommit });
  measures.push(...rows);
  if (rows.length === 0) continue;
  console.table(
    rows.map(({ measure, unit, ours, reference, reference_name, ratio, runs }) => ({
      measure,
      unit,
      ours: rounded(ours),
      reference: rounded(reference),
      'which is': reference_name,
      ratio: rounded(ratio),
      runs,
    })),
  );
}
if (values.plots !== undefined)
  for (const name of names) {
    const rows = measures.filter(({ bench }) => bench === name);
    await writeFile(join(values.plots, `bench-${name}.svg`), plotOf(rows));
  }
if (values.json !== undefined)
  await writeFile(values.json, `${JSON.stringify(measures, null, 2)}\n`);

function requireOnly(known: readonly string[], option: string): void {
  const others = names.filter((name) => !known.includes(name));
  if (others.length > 0)
    refuse(`${option} is for ${known.join(', ')} only, not for ${others.join(', ')}`);
}

function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
