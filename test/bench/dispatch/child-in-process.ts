/** A child process: what dispatching an event costs an app without HTTP, with so many commands. */
import { median } from '../statistics.ts';
import { appNamed } from './apps.ts';

const BATCHES = 9;
const EVENTS = 20_000;
/** As many as there are connections in the runs over HTTP. */
const AT_ONCE = 50;
const WARM_UP_BATCHES = 4;

const [name, ...numbers] = process.argv.slice(2);
const app = appNamed(name);
let handled = 0;
let sent = 0;
const measured: { inProcess: (n: number) => () => Promise<unknown>; costs: number[] }[] = [];
for (const commands of numbers) {
  const { inProcess } = await app.serve(() => (handled += 1), Number(commands));
  if (inProcess === undefined) throw new Error(`${app.name} has no events in process`);
  measured.push({ inProcess, costs: [] });
}
for (let batch = -WARM_UP_BATCHES; batch < BATCHES; batch++) {
  // In turns, so that what else the machine does falls on all.
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
