import { parseArgs } from 'node:util';

import { hasPrograms, INSTALL, runCluster, summaryOf } from './run-cluster.ts';

const HELP = `npm run cluster -- [--seconds N] [--nodes N] [--seed N] [--asynchronous] [--keep]

Starts etcd, three members of PostgreSQL with Patroni, HAProxy, nodes of the chat server and two bouncers
on this machine, with the files of docs/self-hosting/cluster, and harms them at random while clients write,
react and read. Then it compares what the clients were told with what is there. Ctrl-C ends the faults early.
Exits with 1 if something is lost, doubled, out of order, or was seen by somebody who may not see it.

  --seconds N      how long it harms them; default 600
  --nodes N        how many chat servers, 1 to 3; default 3
  --seed N         chooses the faults; default: a new one, which is printed
  --asynchronous   a commit does not wait for a standby: a failover may lose what docs/self-hosting/cluster.md says
  --keep           keeps the folder with the logs`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    nodes: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    asynchronous: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const nodes = Number(values.nodes);
const seconds = Number(values.seconds);
const seed = Number(values.seed);
if (values.help || ![1, 2, 3].includes(nodes) || !(seconds > 0) || !Number.isSafeInteger(seed)) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
if (!(await hasPrograms())) {
  console.log(INSTALL);
  process.exit(2);
}
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
const result = await runCluster({
  seconds,
  nodes,
  seed,
  isSynchronous: !values.asynchronous,
  keep: values.keep,
  log: (line) => console.log(line),
  signal: stopping.signal,
});
const { verdict, refused, gaps } = result;
const kinds = ['lost', 'doubled', 'disordered', 'leaked'] as const;
for (const kind of kinds)
  for (const line of verdict[kind].slice(0, 20)) console.log(`${kind}: ${line}`);
if (verdict.lostByFailover.length > 0)
  console.log(
    `lost by failovers, as it may be: ${verdict.lostByFailover.slice(0, 5).join(', ')}, ...`,
  );
for (const [error, times] of refused) console.log(`refused ${times} times: ${error}`);
for (const { ms, after } of gaps.slice(0, 5))
  console.log(`${(ms / 1000).toFixed(1)} s without an acknowledgement: ${after}`);
console.log(summaryOf(result));
process.exitCode = kinds.every((kind) => verdict[kind].length === 0) ? 0 : 1;
