/** A child process: prints the processor time per event of an app without HTTP, for each number of commands. */
import { median } from '../statistics.ts';
import { appNamed } from './apps.ts';

const BATCHES = 9;
const EVENTS = 20_000;
/** The number of connections in the runs over HTTP. */
const AT_ONCE = 50;
const WARM_UP_BATCHES = 4;

const [name, ...numbers] = process.argv.slice(2);
const app = appNamed(name);
let handled = 0;
let sent = 0;
const measured: { inProcess: (n: number) => () => Promise<unknown>; costs: number[] }[] = [];
for (const commands of numbers) {
  const { inProcess } = await app.serve(() => (handled += 1), Number(commands));
  if (inProcess === undefined) throw new Error(`${app.name} cannot dispatch without HTTP`);
  measured.push({ inProcess, costs: [] });
}
for (let batch = -WARM_UP_BATCHES; batch < BATCHES; batch++) {
  // In turns, so that other work on the machine affects all alike.
  for (const { inProcess, costs } of measured) {
    const cost = await costOf(inProcess);
    if (batch >= 0) costs.push(cost);
  }
}
if (handled !== sent) throw new Error(`${app.name} handled ${handled} of ${sent} events`);
console.log(JSON.stringify(measured.map(({ costs }) => median(costs))));

/** Microseconds of processor time per event. */
async function costOf(inProcess: (n: number) => () => Promise<unknown>): Promise<number> {
  let spent = 0;
  for (let done = 0; done < EVENTS; done += AT_ONCE) {
    const events = Array.from({ length: AT_ONCE }, (_, at) => inProcess(sent + at));
    sent += AT_ONCE;
    const started = process.cpuUsage();
    await Promise.all(events.map((dispatch) => dispatch()));
    const { user, system } = process.cpuUsage(started);
    spent += user + system;
  }
  return spent / EVENTS;
}
