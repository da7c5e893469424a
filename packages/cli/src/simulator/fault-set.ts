import {
  argument,
  defineCommand,
  type FlagValues,
  parseNumber,
  rethrowAsUserError,
  textFlag,
  UserError,
  valueFlag,
} from '@bellhop/bot-cli/command-line';
import { faultKinds, type FaultParameters, faultOf, FaultRule } from '@bellhop/push-simulator';
import { z, ZodError } from 'zod';

import { requireSimulator, simulatorFlags } from './control-client.ts';

type Provider = FaultRule['provider'];

const providers = FaultRule.shape.provider.options;
const FaultId = z.object({ fault_id: z.int() });

const numberFlag = (brief: string) => valueFlag(brief, 'number', parseNumber);

const flags = {
  ...simulatorFlags,
  device: textFlag('Only for the phone with this token', 'token'),
  times: numberFlag('How many requests it strikes; all if left out'),
  probability: numberFlag('The share of the requests that it strikes, as 0.1'),
  reason: textFlag('The reason in the answer or in the GOAWAY frame', 'reason'),
  retryAfter: textFlag('The header Retry-After: seconds, or a date', 'value'),
  ms: numberFlag('How late the answer of "slow" is, in milliseconds'),
  timestamp: numberFlag("When Apple's 410 says the token ended, Unix milliseconds"),
};
type Flags = FlagValues<typeof flags>;

export const faultSet = defineCommand({
  description: `Of several faults that match a request the oldest strikes. Prints the number that "clear" takes.

  bellhop simulator fault set apns TooManyRequests --retry-after 30
  bellhop simulator fault set fcm UNREGISTERED --times 1
  bellhop simulator fault set apns slow --ms 5000 --probability 0.1
  bellhop simulator fault set oauth 503`,
  flags,
  args: [
    {
      ...argument('provider', providers.join(', '), parseProvider),
      proposeCompletions: () => providers,
    },
    {
      ...argument('kind', 'A kind that "bellhop simulator fault list" names'),
      proposeCompletions: () => faultKinds.map(({ kind }) => kind),
    },
  ],
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
