import { appDataOf } from '@bellhop/push-simulator';
import { z } from 'zod';

import { defineCommand } from '../command-line/command.ts';
import { switchFlag } from '../command-line/flags.ts';
import { controlClient } from '../simulator/control-client.ts';
import { arrivalOf, arrivalText } from './arrival.ts';
import { type PhoneEntry, phoneName, requirePhone } from './phone-book.ts';
import { ciphertextHash, type PushTrace, tracesOf } from './push-trace.ts';
import { deviceOf, notificationsAfter } from './simulated-phone.ts';

interface Flags {
  readonly json: boolean;
}

const Requests = z.object({
  requests: z.array(
    z.object({
      time: z.number(),
      provider: z.string(),
      token: z.string().nullable(),
      status: z.int().nullable(),
      outcome: z.string(),
      body: z.string(),
    }),
  ),
});

export const trace = defineCommand<Flags, [name: string]>({
  description: `For each notification to the phone: every attempt of the bouncer at the provider with its answer, what
a refusal means, the size beside the limit, and what the phone decrypted. A hash of the ciphertext joins
them. The simulator keeps the latest 1000 requests.`,
  parameters: {
    flags: {
      json: switchFlag('One line of JSON for each notification'),
    },
    positional: { kind: 'tuple', parameters: [phoneName] },
  },
  async run({ json }, name) {
    const traces = await tracesFor(await requirePhone(name));
    for (const one of traces) console.log(json ? JSON.stringify(one) : traceText(one));
    if (traces.length === 0 && !json) console.log(`Nothing was sent to ${name}.`);
  },
});

async function tracesFor(phone: PhoneEntry): Promise<PushTrace[]> {
  const answer = await controlClient(phone.simulator).call('GET', '/requests');
  const { requests } = Requests.parse(answer);
  const device = deviceOf(phone);
  const arrivals = (await notificationsAfter(phone, 0)).map((notification) => ({
    hash: ciphertextHash(appDataOf(notification).fields['encrypted_data']),
    arrival: arrivalOf(phone.name, device, notification),
  }));
  const sent = requests.filter(({ token }) => token === phone.token);
  return tracesOf(phone.name, sent, arrivals);
}

function traceText({ hash, phone, attempts, arrivals, verdict }: PushTrace): string {
  const lines = [
    ...attempts.map(({ at, status, outcome, explanation, size, limit }) => {
      const meaning = explanation === undefined ? '' : ` (${explanation})`;
      return `${at.slice(11, 23)}  provider  ${status ?? 'no answer'} ${outcome}${meaning}, ${size} of ${limit} bytes`;
    }),
    ...arrivals.map(
      (arrival) =>
        `${arrival.received_at.slice(11, 23)}  phone     ${arrivalText(arrival).split('  ').slice(1).join('  ')}`,
    ),
  ];
  return `${hash}  ${phone}: ${verdict}\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
