import type { Contract } from '../wire/endpoint.ts';
import { queues } from './queues.ts';
import { type Resources, resources } from './resources.ts';

/** The contract of every resource. `queues` delivers the state and the events of the others. */
export const contracts: Contracts = { ...resources, queues };
export type Contracts = Resources & { readonly queues: typeof queues };

/** The endpoints of the API by resource and operation. Resources without endpoints are left out. */
export type Api = {
  readonly [
    R in keyof Contracts as {} extends Contracts[R]['endpoints'] ? never : R
  ]: Contracts[R]['endpoints'];
};

/**
 * The whole API. Router, clients, documentation and generated tests are derived from this value.
 */
export const api: Api = endpointsOf(contracts) as Api;

function endpointsOf(all: Readonly<Record<string, { endpoints: Contract[string] }>>): Contract {
  const entries = Object.entries(all).map(([name, { endpoints }]) => [name, endpoints] as const);
  return Object.fromEntries(
    entries
      .filter(([, endpoints]) => Object.keys(endpoints).length > 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
