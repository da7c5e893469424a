import type { RequestListener } from 'node:http';

import { serveContract } from '@bellhop/http';
import {
  ApiError,
  type AnswerOf,
  type Endpoint,
  type ParamsOf,
  sandbox,
  SANDBOX_PREFIX,
  type SandboxContract,
  type UserId,
} from '@bellhop/protocol';
import type { PushSimulator } from '@bellhop/push-simulator';
import type { Server } from '@bellhop/server';
import type { Logger } from 'pino';

import type { ReadBouncerTraces } from '../../trace/bouncer-access.ts';
import { providerRequest } from '../../trace/provider-request.ts';
import { addFault, kindsOfFaults, listFaults } from './faults.ts';
import type { SandboxPhones } from './sandbox-phones.ts';

interface ServeOptions {
  /** Authenticates callers like every call of the API. */
  readonly server: Pick<Server, 'admit'>;
  readonly phones: SandboxPhones;
  readonly simulator: PushSimulator;
  readonly bouncerTraces: ReadBouncerTraces;
  readonly log: Logger;
}
interface Call<E extends Endpoint> {
  readonly user: UserId;
  readonly params: ParamsOf<E>;
  readonly signal: () => AbortSignal;
}
type Handlers = {
  readonly [R in keyof SandboxContract]: {
    readonly [N in keyof SandboxContract[R]]: SandboxContract[R][N] extends Endpoint
      ? (
          call: Call<SandboxContract[R][N]>,
        ) => AnswerOf<SandboxContract[R][N]> | Promise<AnswerOf<SandboxContract[R][N]>>
      : never;
  };
};

/** Serves the phones and providers of the sandbox to their users: pages of the console, and programs. */
export function serveSandbox(options: ServeOptions): RequestListener {
  const handlers = handlersOf(options) as Record<
    string,
    Record<string, (call: Call<Endpoint>) => object>
  >;
  const operations = new Map<Endpoint, (call: Call<Endpoint>) => object>();
  for (const [resource, endpoints] of Object.entries(sandbox))
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const handler = handlers[resource]?.[name];
      if (handler) operations.set(endpoint, handler);
    }
  return serveContract(sandbox, {
    prefix: SANDBOX_PREFIX,
    admit: options.server.admit,
    perform: async ({ endpoint, params, caller, exchange }) => {
      const operation = operations.get(endpoint);
      if (!operation) throw new ApiError('NOT_FOUND');
      // Only `about` has no user, and does not ask for one.
      const user = caller.user?.id ?? (0 as UserId);
      return operation({ user, params, signal: exchange.signal });
    },
    onError: (error, { method, path }) =>
      options.log.error({ err: error, method, path }, 'a request about the sandbox failed'),
  });
}

const handlersOf = ({ phones, simulator, bouncerTraces }: ServeOptions): Handlers => ({
  about: { get: () => ({ is_sandbox: true, sends_mails: false }) },
  phones: {
    list: ({ user }) => ({ phones: phones.of(user).map((phone) => phone.show()) }),
    changes: async ({ params: { after, wait }, signal }) => {
      const patience = AbortSignal.any([signal(), AbortSignal.timeout(wait * 1000)]);
      return { version: await phones.changes.since(after, patience) };
    },
    add: async ({ user, params }) => ({ phone: (await phones.add(user, params)).show() }),
    setOnline: async ({ user, params: { name, online } }) => {
      await phones.setOnline(phones.require(user, name), online);
      return {};
    },
    rotate: async ({ user, params: { name, new_token } }) => {
      await phones.rotate(phones.require(user, name), new_token);
      return {};
    },
    uninstall: async ({ user, params: { name } }) => {
      await phones.uninstall(phones.require(user, name));
      return {};
    },
    vectors: ({ user, params: { name, cipher_id } }) =>
      phones.require(user, name).vectors(cipher_id),
    remove: async ({ user, params: { name } }) => {
      await phones.remove(phones.require(user, name));
      return {};
    },
  },
  traces: {
    list: async ({ params: { cipher_ids } }) => {
      const wanted = new Set<string | null>(cipher_ids);
      const requests = simulator.journal
        .requests()
        .filter(({ cipher_id }) => wanted.has(cipher_id));
      return {
        bouncer: await bouncerTraces(cipher_ids),
        requests: requests.map(providerRequest),
      };
    },
  },
  faults: {
    list: ({ user }) => ({
      faults: listFaults(simulator, phones.of(user)),
      kinds: kindsOfFaults(),
    }),
    add: ({ user, params }) => {
      const phone = params.phone === undefined ? undefined : phones.require(user, params.phone);
      return { fault_id: addFault(simulator, params, phone) };
    },
    clear: ({ params: { fault_id } }) => {
      if (simulator.faults.clear(fault_id)) return {};
      throw new ApiError('NOT_FOUND', { message: 'This fault is switched off already' });
    },
    clearAll: () => {
      simulator.faults.clear();
      return {};
    },
  },
});
