import { z } from 'zod';

import { type Devices, NewDevice, Uninstall } from './devices.ts';
import { type FaultBoard, FaultRule } from './faults.ts';
import type { Journal } from './journal.ts';
import type { Notification } from './notification.ts';

export interface ControlTarget {
  addresses: Record<string, string>;
  devices: Devices;
  faults: FaultBoard;
  journal: Journal;
}

interface Call {
  simulator: ControlTarget;
  /** The variable parts of the path. */
  parts: string[];
  query: Record<string, string>;
  body: unknown;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

type Handler = (call: Call) => unknown;

/** An invalid request, with the HTTP status of the answer. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const After = z.object({ after: z.coerce.number().int().min(0).default(0) });
const Poll = After.extend({
  /** Seconds to wait for a notification if there is none yet. */
  wait: z.coerce.number().min(0).max(60).default(0),
});
const Online = z.strictObject({ online: z.boolean() });

/** Method and path; `*` stands for one part. */
const routes: Record<string, Handler> = {
  'GET /': ({ simulator }) => simulator.addresses,

  'GET /devices': ({ simulator }) => ({ devices: simulator.devices.list() }),

  'POST /devices': ({ simulator, body }) => simulator.devices.add(NewDevice.parse(body)),

  'PATCH /devices/*': ({ simulator, parts: [token = ''], body }) => {
    simulator.devices.setOnline(token, Online.parse(body).online);
    return simulator.devices.find(token);
  },

  'DELETE /devices/*': ({ simulator, parts: [token = ''], query }) => {
    simulator.devices.uninstall(token, Uninstall.parse(query));
    return simulator.devices.find(token);
  },

  'GET /devices/*/notifications': async ({ simulator, parts: [token = ''], query, signal }) => {
    const { after, wait } = Poll.parse(query);
    const known = simulator.devices.received(token, after);
    if (known.length > 0 || wait === 0) return { notifications: known };
    return { notifications: await nextNotification(simulator.devices, token, { wait, signal }) };
  },

  'GET /faults': ({ simulator }) => ({ faults: simulator.faults.list() }),

  'POST /faults': ({ simulator, body }) => ({
    fault_id: simulator.faults.add(FaultRule.parse(body)),
  }),

  'DELETE /faults': ({ simulator }) => ({ cleared: simulator.faults.clear() }),

  'DELETE /faults/*': ({ simulator, parts: [id = ''] }) => ({
    cleared: simulator.faults.clear(Number(id)),
  }),

  'GET /requests': ({ simulator, query }) => ({
    requests: simulator.journal.requests(After.parse(query).after),
  }),

  'GET /counters': ({ simulator }) => ({ counters: simulator.journal.counters() }),
};

/** The handler for a path, and its variable parts. Throws `ControlRefusal` for an unknown path. */
export function findRoute(method: string, path: string): { run: Handler; parts: string[] } {
  const pathParts = path.split('/');
  for (const [route, run] of Object.entries(routes)) {
    const [routeMethod = '', routePath = ''] = route.split(' ');
    const routeParts = routePath.split('/');
    const matches = routeParts.every((part, at) => part === '*' || part === pathParts[at]);
    if (routeMethod !== method || routeParts.length !== pathParts.length || !matches) continue;
    const parts = pathParts.filter((_, at) => routeParts[at] === '*').map(decodePart);
    return { run, parts };
  }
  const known = Object.keys(routes).join(', ');
  throw new ControlRefusal(404, `Unknown route ${method} ${path}; known are ${known}, GET /events`);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ControlRefusal(400, 'The path has an invalid percent-encoding');
  }
}

function nextNotification(
  devices: Devices,
  token: string,
  { wait, signal }: { wait: number; signal: AbortSignal },
): Promise<Notification[]> {
  return new Promise((resolve) => {
    const finish = (notifications: Notification[]) => {
      clearTimeout(timer);
      end();
      signal.removeEventListener('abort', onAbort);
      resolve(notifications);
    };
    const onAbort = () => finish([]);
    const timer = setTimeout(onAbort, wait * 1000);
    const end = devices.listen(token, (notification) => finish([notification]));
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
