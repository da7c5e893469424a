import {
  ApiError,
  type AskOf,
  type FaultKindChoice,
  type SandboxContract,
  type SandboxFault,
} from '@bellhop/protocol';
import {
  type Fault,
  faultKinds,
  faultOf,
  type PushSimulator,
  UnknownFault,
} from '@bellhop/push-simulator';
import { ZodError } from 'zod';

import type { Phone } from './phone.ts';

type NewFault = AskOf<SandboxContract['faults']['add']>;

/** The faults that are switched on. Phones of other users have no name. */
export const listFaults = ({ faults }: PushSimulator, phones: readonly Phone[]): SandboxFault[] =>
  faults.list().map(({ fault_id, provider, match, times, probability, fault }) => ({
    fault_id,
    provider,
    fault: faultText(fault),
    phone:
      match?.token === undefined
        ? null
        : (phones.find(({ entry }) => entry.token === match.token)?.name ?? 'another phone'),
    left: times ?? null,
    probability: probability ?? 1,
  }));

/** Switches a fault on. Throws BAD_REQUEST for one that the provider cannot show. */
export function addFault({ faults }: PushSimulator, asked: NewFault, phone?: Phone): number {
  const { provider, kind, times, probability, reason, retry_after, ms } = asked;
  try {
    return faults.add({
      provider,
      fault: faultOf(provider, kind, given({ reason, retry_after, ms })),
      ...given({ times, probability }),
      ...(phone ? { match: { token: phone.entry.token } } : {}),
    });
  } catch (error) {
    if (!(error instanceof UnknownFault || error instanceof ZodError)) throw error;
    throw new ApiError('BAD_REQUEST', { message: error.message });
  }
}

export const kindsOfFaults = (): FaultKindChoice[] =>
  faultKinds.map(({ providers, parameters, ...kind }) => ({
    ...kind,
    providers: [...providers],
    parameters: [...parameters],
  }));

function faultText(fault: Fault): string {
  if (typeof fault === 'string') return fault;
  if ('slow_ms' in fault) return `slow: ${fault.slow_ms} ms`;
  if ('goaway_reason' in fault) return `goaway: ${fault.goaway_reason}`;
  const after = fault.retry_after === undefined ? '' : `, Retry-After ${fault.retry_after}`;
  return `${fault.status} ${fault.reason}${after}`;
}

type WithoutUndefined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };
/** Without the keys that have no value. */
const given = <T extends Record<string, unknown>>(values: T): Partial<WithoutUndefined<T>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<
    WithoutUndefined<T>
  >;
