import { bouncer, type Endpoint } from '@bellhop/protocol';

import type { App } from './app.ts';
import { push } from './push/push.ts';
import type { RemoteServer } from './servers/queries.ts';
import { servers } from './servers/servers.ts';

interface Call {
  readonly params: Record<string, unknown>;
  readonly server: RemoteServer | undefined;
  readonly app: App;
}
export interface Operation {
  readonly name: string;
  readonly run: (call: Call) => Promise<object>;
}

/** The handler of each operation of the contract. */
export const operations: ReadonlyMap<Endpoint, Operation> = new Map<Endpoint, Operation>([
  ...paired('servers', bouncer.servers, servers),
  ...paired('push', bouncer.push, push),
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
