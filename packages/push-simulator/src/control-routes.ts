import { z } from 'zod';

import {
  ControlRefusal,
  type ControlRoute,
  controlRoute,
  type ControlTarget,
} from './control-route.ts';
import { Device, NewDevice, Uninstall } from './devices.ts';
import { faultKinds } from './fault-kinds.ts';
import { FaultRule } from './faults.ts';
import type { Notification } from './notification.ts';
import { Scenario } from './scenario.ts';

const After = z.object({
  after: z.coerce.number().int().min(0).default(0).describe('Only what has a later `seq`.'),
  wait: z.coerce
    .number()
    .min(0)
    .max(60)
    .default(0)
    .describe('Seconds to wait for one if there is none yet.'),
});
const Online = z.strictObject({ online: z.boolean() });
const OffsetMs = z.strictObject({ offset_ms: z.int().min(-31_536_000_000).max(31_536_000_000) });
const Notifications = z.object({ notifications: z.array(z.looseObject({ seq: z.int() })) });
const Requests = z.object({ requests: z.array(z.looseObject({ seq: z.int() })) });
const Cleared = z.object({ cleared: z.boolean() });
const FaultRules = z.object({ faults: z.array(FaultRule.extend({ fault_id: z.int() })) });
const Status = z.object({
  scenario: z
    .object({ name: z.string(), done: z.int(), steps: z.int(), running: z.boolean() })
    .nullable(),
});

/** Every operation of the control API, except `GET /events` and `GET /openapi.json`. */
export const controlRoutes: readonly ControlRoute[] = [
  controlRoute({
    route: 'GET /',
    summary: 'Addresses of the providers, and the certificate authority to trust',
    answer: z.record(z.string(), z.string()),
    run: ({ simulator }) => simulator.addresses,
  }),
  controlRoute({
    route: 'GET /devices',
    summary: 'List the phones',
    answer: z.object({ devices: z.array(Device) }),
    run: ({ simulator }) => ({ devices: simulator.devices.list() }),
  }),
  controlRoute({
    route: 'POST /devices',
    summary: 'Add a phone; a known token becomes valid again',
    body: NewDevice,
    answer: Device,
    run: ({ simulator, body }) => simulator.devices.add(body),
  }),
  controlRoute({
    route: 'PATCH /devices/{token}',
    summary: 'Take a phone offline or online; online it receives what the provider has stored',
    body: Online,
    answer: Device,
    run({ simulator, parts: [token = ''], body }) {
      simulator.devices.setOnline(token, body.online);
      return simulator.devices.find(token);
    },
  }),
  controlRoute({
    route: 'DELETE /devices/{token}',
    summary: 'Remove the app from a phone',
    query: Uninstall,
    answer: Device,
    run({ simulator, parts: [token = ''], query }) {
      simulator.devices.uninstall(token, query);
      return simulator.devices.find(token);
    },
  }),
  controlRoute({
    route: 'GET /devices/{token}/notifications',
    summary: 'What a phone has received, the latest 1000 at most',
    query: After,
    answer: Notifications,
    async run({ simulator, parts: [token = ''], query: { after, wait }, signal }) {
      const known = simulator.devices.received(token, after);
      if (known.length > 0 || wait === 0) return { notifications: known };
      return { notifications: await nextNotification(simulator.devices, token, { wait, signal }) };
    },
  }),
  controlRoute({
    route: 'GET /faults',
    summary: 'List the faults that are switched on',
    answer: FaultRules,
    run: ({ simulator }) => ({ faults: simulator.faults.list() }),
  }),
  controlRoute({
    route: 'GET /fault-kinds',
    summary: 'List every kind of fault with its explanation',
    answer: z.object({ kinds: z.array(z.looseObject({ kind: z.string() })) }),
    run: () => ({ kinds: faultKinds }),
  }),
  controlRoute({
    route: 'POST /faults',
    summary: 'Switch a fault on; of several that match a request the oldest strikes',
    body: FaultRule,
    answer: z.object({ fault_id: z.int() }),
    run: ({ simulator, body }) => ({ fault_id: simulator.faults.add(body) }),
  }),
  controlRoute({
    route: 'DELETE /faults',
    summary: 'Switch all faults off',
    answer: Cleared,
    run: ({ simulator }) => ({ cleared: simulator.faults.clear() }),
  }),
  controlRoute({
    route: 'DELETE /faults/{fault_id}',
    summary: 'Switch one fault off',
    answer: Cleared,
    run: ({ simulator, parts: [id = ''] }) => ({ cleared: simulator.faults.clear(Number(id)) }),
  }),
  controlRoute({
    route: 'GET /scenario',
    summary: 'How far the scenario is that plays or played last',
    answer: Status,
    run: ({ simulator }) => ({ scenario: simulator.scenarios.status() }),
  }),
  controlRoute({
    route: 'POST /scenario',
    summary: 'Play a scenario in place of the one that plays',
    body: Scenario,
    answer: Status,
    run({ simulator, body }) {
      simulator.scenarios.play(body);
      return { scenario: simulator.scenarios.status() };
    },
  }),
  controlRoute({
    route: 'DELETE /scenario',
    summary: 'End the scenario, switch all faults off and set the clock right',
    answer: Cleared,
    run: ({ simulator }) => ({ cleared: simulator.scenarios.stop() }),
  }),
  controlRoute({
    route: 'GET /clock',
    summary: "How far the providers' clocks are ahead of the machine's",
    answer: OffsetMs,
    run: ({ simulator }) => ({ offset_ms: simulator.clock.offset_ms }),
  }),
  controlRoute({
    route: 'PUT /clock',
    summary: "Set the providers' clocks ahead of the machine's, or behind",
    body: OffsetMs,
    answer: OffsetMs,
    run({ simulator, body }) {
      simulator.clock.offset_ms = body.offset_ms;
      return body;
    },
  }),
  controlRoute({
    route: 'GET /requests',
    summary: 'The requests to the providers with bodies and answers, the latest 1000 at most',
    query: After,
    answer: Requests,
    async run({ simulator, query: { after, wait }, signal }) {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(wait * 1000)]);
      const { journal } = simulator;
      return {
        requests:
          wait === 0 ? journal.requests(after) : await journal.nextRequests(after, patience),
      };
    },
  }),
  controlRoute({
    route: 'GET /counters',
    summary: 'How often each outcome occurred, as <provider>.<outcome>',
    answer: z.object({ counters: z.record(z.string(), z.int()) }),
    run: ({ simulator }) => ({ counters: simulator.journal.counters() }),
  }),
];

/** The operation for a path, and its variable parts. Throws `ControlRefusal` for an unknown path. */
export function findRoute(
  method: string,
  path: string,
): { run: ControlRoute['run']; parts: string[] } {
  const pathParts = path.split('/');
  for (const { route, run } of controlRoutes) {
    const [routeMethod = '', routePath = ''] = route.split(' ');
    const routeParts = routePath.split('/');
    const isVariable = (at: number) => routeParts[at]?.startsWith('{') === true;
    const matches = routeParts.every((part, at) => isVariable(at) || part === pathParts[at]);
    if (routeMethod !== method || routeParts.length !== pathParts.length || !matches) continue;
    return { run, parts: pathParts.filter((_, at) => isVariable(at)).map(decodePart) };
  }
  throw new ControlRefusal(404, `There is no ${method} ${path}; GET /openapi.json has the list`);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ControlRefusal(400, 'The path has an invalid percent-encoding');
  }
}

function nextNotification(
  devices: ControlTarget['devices'],
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
