import type { Contract } from './endpoint.ts';
import { queues } from './queues.ts';
import { resources } from './resources.ts';

/** The contract of every resource; the queues bring their state and events to clients. */
export const contracts = { ...resources, queues };
export type Contracts = typeof contracts;

/** The endpoints of the API by resource and operation; a resource may have none. */
export type Api = {
  readonly [
    R in keyof Contracts as {} extends Contracts[R]['endpoints'] ? never : R
  ]: Contracts[R]['endpoints'];
};

/** The whole API. Server, clients, docs and tests are all derived from this value. */
export const api: Api = endpointsOf(contracts) as Api;

function endpointsOf(all: Readonly<Record<string, { endpoints: Contract[string] }>>): Contract {
  const entries = Object.entries(all).map(([name, { endpoints }]) => [name, endpoints] as const);
  return Object.fromEntries(
    entries
      .filter(([, endpoints]) => Object.keys(endpoints).length > 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
