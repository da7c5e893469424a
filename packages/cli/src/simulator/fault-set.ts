import { faultKinds, type FaultParameters, faultOf, FaultRule } from '@bellhop/push-simulator';
import { z, ZodError } from 'zod';

import { defineCommand } from '../command-line/command.ts';
import { parseNumber } from '../command-line/parse-flag.ts';
import { rethrowAsUserError, UserError } from '../command-line/user-error.ts';
import { requireSimulator, type SimulatorFlags, simulatorFlags } from './control-client.ts';

type Provider = FaultRule['provider'];
interface Flags extends SimulatorFlags {
  readonly device?: string;
  readonly times?: number;
  readonly probability?: number;
  readonly reason?: string;
  readonly retryAfter?: string;
  readonly ms?: number;
  readonly timestamp?: number;
}

const providers = FaultRule.shape.provider.options;
const FaultId = z.object({ fault_id: z.int() });

const optionalNumber = (brief: string) =>
  ({ kind: 'parsed', parse: parseNumber, brief, placeholder: 'number', optional: true }) as const;
const optionalText = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const;

export const faultSet = defineCommand<Flags, [provider: Provider, kind: string]>({
  description: `Of several faults that match a request the oldest strikes. Prints the number that "clear" takes.

  bellhop simulator fault set apns TooManyRequests --retry-after 30
  bellhop simulator fault set fcm UNREGISTERED --times 1
  bellhop simulator fault set apns slow --ms 5000 --probability 0.1
  bellhop simulator fault set oauth 503`,
  parameters: {
    flags: {
      ...simulatorFlags,
      device: optionalText('Only for the phone with this token', 'token'),
      times: optionalNumber('How many requests it strikes; all if left out'),
      probability: optionalNumber('The share of the requests that it strikes, as 0.1'),
      reason: optionalText('The reason in the answer or in the GOAWAY frame', 'reason'),
      retryAfter: optionalText('The header Retry-After: seconds, or a date', 'value'),
      ms: optionalNumber('How late the answer of "slow" is, in milliseconds'),
      timestamp: optionalNumber("When Apple's 410 says the token ended, Unix milliseconds"),
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: parseProvider,
          brief: providers.join(', '),
          placeholder: 'provider',
          proposeCompletions: () => providers,
        },
        {
          parse: String,
          brief: 'A kind that "bellhop simulator fault list" names',
          placeholder: 'kind',
          proposeCompletions: () => faultKinds.map(({ kind }) => kind),
        },
      ],
    },
  },
  async run(flags, provider, kind) {
    const { device, times, probability } = flags;
    const rule: FaultRule = {
      provider,
      fault: chosenFault(flags, provider, kind),
      ...(device === undefined ? {} : { match: { token: device } }),
      ...(times === undefined ? {} : { times }),
      ...(probability === undefined ? {} : { probability }),
    };
    const simulator = await requireSimulator(flags);
    const { fault_id } = FaultId.parse(await simulator.call('POST', '/faults', { body: rule }));
    console.log(String(fault_id));
  },
});

function parseProvider(text: string): Provider {
  const provider = providers.find((one) => one === text);
  if (provider) return provider;
  throw new SyntaxError(`write one of ${providers.join(', ')}`);
}

function chosenFault(flags: Flags, provider: Provider, kind: string) {
  const { reason, retryAfter, ms, timestamp } = flags;
  const parameters: FaultParameters = {
    ...(reason === undefined ? {} : { reason }),
    ...(retryAfter === undefined
      ? {}
      : { retry_after: /^\d+$/.test(retryAfter) ? Number(retryAfter) : retryAfter }),
    ...(ms === undefined ? {} : { ms }),
    ...(timestamp === undefined ? {} : { timestamp }),
  };
  try {
    return faultOf(provider, kind, parameters);
  } catch (error) {
    if (error instanceof ZodError) throw new UserError(z.prettifyError(error));
    if (!(error instanceof Error)) throw error;
    return rethrowAsUserError(new Error(`${error.message}: see "bellhop simulator fault list".`));
  }
}
