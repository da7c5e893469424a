import { benchFile, type Checkout, thisCheckout } from '../checkout.ts';
import type { Measure } from '../measure.ts';
import { median } from '../statistics.ts';
import { outputOf, spawnPinned } from './on-processor.ts';

const BATCHES = 9;
/** Runs of this checkout and another. */
const PAIRS = 7;
/** Limits the space for new objects, which would else grow up to 100 MiB, whatever is kept. */
const MEMORY_FLAGS = ['--expose-gc', '--max-semi-space-size=2'];
const FRAMEWORKS = ['@slack/bolt', 'grammY', 'Probot', 'Telegraf'];

/** The processor time of a parsed delivery without HTTP, and the memory growth over a million deliveries. */
export async function inProcess(against: readonly Checkout[]): Promise<Measure[]> {
  const [one = Number.NaN, hundred = Number.NaN] = await costs(thisCheckout, 'Bellhop', [1, 100]);
  const row = (measure: string, ours: number, reference: number, reference_name: string) => ({
    bench: 'dispatch',
    measure,
    unit: 'µs',
    ours,
    reference,
    reference_name,
    ratio: ours / reference,
    runs: BATCHES,
  });
  const rows: Measure[] = [
    row('processor time in process', one, 6, 'target, at most'),
    row('the same with 100 commands', hundred, one, 'with 1 command'),
  ];
  for (const name of FRAMEWORKS) {
    const [theirs = Number.NaN] = await costs(thisCheckout, name, [1]);
    rows.push(row('processor time in process', one, theirs, name));
  }
  for (const checkout of against) {
    const pairs: [ours: number, theirs: number][] = [];
    // One app in each process, in turns: two apps in one keep more for the garbage collection to copy.
    for (let pair = 0; pair < PAIRS; pair++) {
      const [ours = Number.NaN] = await costs(thisCheckout, 'Bellhop', [1]);
      const [theirs = Number.NaN] = await costs(checkout, 'Bellhop', [1]);
      pairs.push([ours, theirs]);
    }
    const ours = median(pairs.map((pair) => pair[0]));
    rows.push({
      ...row(
        'processor time in process',
        ours,
        median(pairs.map((pair) => pair[1])),
        checkout.name,
      ),
      ratio: median(pairs.map((pair) => pair[0] / pair[1])),
      runs: PAIRS,
    });
  }
  const memoryFile = benchFile(thisCheckout, 'dispatch/child-memory.ts');
  const grown = Number(await outputOf(spawnPinned(memoryFile, [], MEMORY_FLAGS)));
  const memory = row('growth over 1,000,000 deliveries', grown, 20, 'target, at most');
  return [...rows, { ...memory, unit: 'MiB', runs: 1 }];
}

async function costs(
  checkout: Checkout,
  name: string,
  commands: readonly number[],
): Promise<number[]> {
  const child = spawnPinned(
    benchFile(checkout, 'dispatch/child-in-process.ts'),
    [name, ...commands.map(String)],
    ['--expose-gc'],
  );
  return JSON.parse(await outputOf(child)) as number[];
}
