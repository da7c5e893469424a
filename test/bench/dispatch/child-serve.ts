/** A child process: serves one app, and sends its usage at each message. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { appNamed } from './apps.ts';

/** Usage of the process since its start. */
export interface AppUsage {
  readonly handled: number;
  /** Processor time in microseconds. */
  readonly microseconds: number;
}

let handled = 0;
const app = appNamed(process.argv[2]);
const { listener } = await app.serve(() => (handled += 1), 1);
const server = createServer(listener).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(port);
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ handled, microseconds: user + system } satisfies AppUsage);
});
process.on('disconnect', () => process.exit());
