import { z } from 'zod';

import { type Devices, NewDevice, Uninstall } from './devices.ts';
import { type FaultBoard, FaultRule } from './faults.ts';
import type { Journal } from './journal.ts';
import type { Notification } from './notification.ts';

export interface ControlWorld {
  addresses: Record<string, string>;
  devices: Devices;
  faults: FaultBoard;
  journal: Journal;
}

interface Call {
  world: ControlWorld;
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
  'GET /': ({ world }) => world.addresses,

  'GET /devices': ({ world }) => ({ devices: world.devices.list() }),

  'POST /devices': ({ world, body }) => world.devices.add(NewDevice.parse(body)),

  'PATCH /devices/*': ({ world, parts: [token = ''], body }) => {
    world.devices.setOnline(token, Online.parse(body).online);
    return world.devices.find(token);
  },

  'DELETE /devices/*': ({ world, parts: [token = ''], query }) => {
    world.devices.uninstall(token, Uninstall.parse(query));
    return world.devices.find(token);
  },

  'GET /devices/*/notifications': async ({ world, parts: [token = ''], query, signal }) => {
    const { after, wait } = Poll.parse(query);
    const known = world.devices.received(token, after);
    if (known.length > 0 || wait === 0) return { notifications: known };
    return { notifications: await nextNotification(world.devices, token, { wait, signal }) };
  },

  'GET /faults': ({ world }) => ({ faults: world.faults.list() }),

  'POST /faults': ({ world, body }) => ({ fault_id: world.faults.add(FaultRule.parse(body)) }),

  'DELETE /faults': ({ world }) => ({ cleared: world.faults.clear() }),

  'DELETE /faults/*': ({ world, parts: [id = ''] }) => ({
    cleared: world.faults.clear(Number(id)),
  }),

  'GET /requests': ({ world, query }) => ({
    requests: world.journal.requests(After.parse(query).after),
  }),

  'GET /counters': ({ world }) => ({ counters: world.journal.counters() }),
};

/** The handler for a path, and its variable parts. Throws `ControlRefusal` for an unknown path. */
export function findRoute(method: string, path: string): { run: Handler; parts: string[] } {
  const given = path.split('/');
  for (const [route, run] of Object.entries(routes)) {
    const [routeMethod = '', routePath = ''] = route.split(' ');
    const wanted = routePath.split('/');
    const fits = wanted.every((part, at) => part === '*' || part === given[at]);
    if (routeMethod !== method || wanted.length !== given.length || !fits) continue;
    const parts = given.filter((_, at) => wanted[at] === '*').map(decodePart);
    return { run, parts };
  }
  const known = Object.keys(routes).join(', ');
  throw new ControlRefusal(404, `There is no ${method} ${path}; there is ${known}, GET /events`);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ControlRefusal(400, 'The path is badly encoded');
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
