import { bouncer, bouncerV1, type Endpoint, type Traceparent } from '@bellhop/protocol/bouncer';

import type { App } from './app.ts';
import { devices } from './doors/devices.ts';
import { feedback } from './doors/feedback.ts';
import { keys } from './doors/keys.ts';
import { push } from './doors/push.ts';
import { pushes } from './doors/pushes.ts';
import { quotas } from './doors/quotas.ts';
import { servers } from './doors/servers.ts';
import { traces } from './doors/traces.ts';
import type { QuotaRequest } from './quotas/quota-keeper.ts';
import type { RemoteServer } from './servers/queries.ts';

interface Call {
  readonly params: Record<string, unknown>;
  readonly server: RemoteServer | undefined;
  readonly idempotencyKey: string | undefined;
  readonly spend: (spending: QuotaRequest) => Promise<void>;
  readonly traceparent: Traceparent;
  readonly app: App;
}
export interface Operation {
  readonly name: string;
  readonly run: (call: Call) => Promise<object>;
}

/** The handler of each operation of the contracts. */
export const operations: ReadonlyMap<Endpoint, Operation> = new Map<Endpoint, Operation>([
  ...paired('servers', bouncer.servers, servers),
  ...paired('push', bouncer.push, push),
  ...paired('v1.keys', bouncerV1.keys, keys),
  ...paired('v1.pushes', bouncerV1.pushes, pushes),
  ...paired('v1.feedback', bouncerV1.feedback, feedback),
  ...paired('v1.traces', bouncerV1.traces, traces),
  ...paired('v1.quotas', bouncerV1.quotas, quotas),
  ...paired('v1.devices', bouncerV1.devices, devices),
]);

function* paired<R extends Readonly<Record<string, Endpoint>>>(
  resource: string,
  endpoints: R,
  handlers: { readonly [N in keyof R]: (call: never) => Promise<object> },
): Iterable<[Endpoint, Operation]> {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const run = handlers[name];
    // The contract's decoder and `admission` guarantee the call that the handler's type asks for.
    if (run) yield [endpoint, { name: `${resource}.${name}`, run: run as Operation['run'] }];
  }
}
