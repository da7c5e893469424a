/** A child process: prints its memory growth over a million deliveries of different messages, in MiB. */
import { appNamed } from './apps.ts';

/** More deliveries than compiler and allocator take to settle: 150,000 when measured. */
const WARM_UP = 250_000;
const DELIVERIES = 1_000_000;

let handled = 0;
const { inProcess } = await appNamed('Bellhop').serve(() => (handled += 1), 1);
let sent = 0;
await deliver(WARM_UP);
const before = residentBytes();
await deliver(DELIVERIES);
const after = residentBytes();
if (handled !== WARM_UP + DELIVERIES) throw new Error(`Handled ${handled} deliveries`);
console.log(JSON.stringify((after - before) / 2 ** 20));

async function deliver(number: number): Promise<void> {
  for (let n = 0; n < number; n++) await inProcess?.(sent++)();
}

/** The resident memory after garbage collection. */
function residentBytes(): number {
  if (globalThis.gc === undefined) throw new Error('Run this with --expose-gc');
  for (let turn = 0; turn < 3; turn++) globalThis.gc();
  return process.memoryUsage.rss();
}
