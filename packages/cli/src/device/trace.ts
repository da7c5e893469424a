import { ConnectionFailed } from '@bellhop/client';
import { ApiError, type PushTrace } from '@bellhop/protocol';
import { cipherId } from '@bellhop/push-crypto/cipher-id';
import { appDataOf } from '@bellhop/push-simulator';
import { type HopFacts, hopLines, joinHops, type JoinedTrace } from '@bellhop/push-trace';
import { z } from 'zod';

import { defineCommand } from '../command-line/command.ts';
import { switchFlag } from '../command-line/flags.ts';
import { arrivalOf } from '../phones/arrival.ts';
import type { PhoneEntry } from '../phones/phone-store.ts';
import { clientOf, deviceOf, notificationsAfter } from '../phones/simulated-phone.ts';
import { controlClient } from '../simulator/control-client.ts';
import { bouncerAccess, type BouncerFlags, bouncerFlags } from '../trace/bouncer-access.ts';
import { lineText } from '../trace/line-text.ts';
import { providerRequest } from '../trace/provider-request.ts';
import { phoneName, phonesHere, requirePhone } from '../phones/phones-here.ts';

const Requests = z.object({
  requests: z.array(
    z.object({
      time: z.number(),
      provider: z.string(),
      token: z.string().nullable(),
      status: z.int().nullable(),
      outcome: z.string(),
      body: z.string(),
      size: z.int(),
      cipher_id: z.string().nullable().default(null),
    }),
  ),
});

export const trace = defineCommand({
  description: `For each notification to the phone, what every service on its way tells, by time: the chat server (why and
when it was pushed, its size), the bouncer and its link to the provider (attempts, connection, status, verdict),
the provider, and the phone (what it decrypted). A hash of the ciphertext joins them.

The chat server shows the phone's owner their own pushes. The bouncer shows a chat server what it has sent: in the
sandbox at once, else with --bouncer, --org-id and --org-key. A service that tells nothing is listed with the
reason.`,
  flags: { json: switchFlag('One line of JSON for each notification'), ...bouncerFlags },
  args: [phoneName],
  async run({ json, ...flags }, name) {
    const traces = joinHops(await factsOf(await requirePhone(await phonesHere(), name), flags));
    for (const one of traces) console.log(json ? JSON.stringify(one) : traceText(one));
    if (traces.length === 0 && !json) console.log(`Nothing was sent to ${name}.`);
  },
});

async function factsOf(phone: PhoneEntry, flags: BouncerFlags): Promise<HopFacts> {
  const readBouncer = await bouncerAccess(flags, phone.server_url);
  const answer = await controlClient(phone.simulator).call('GET', '/requests');
  const requests = Requests.parse(answer)
    .requests.filter(({ token }) => token === phone.token)
    .map(providerRequest);
  const device = deviceOf(phone);
  const arrivals = (await notificationsAfter(phone, 0)).map((notification) => {
    const encrypted = appDataOf(notification).fields['encrypted_data'];
    return {
      cipher_id: typeof encrypted === 'string' ? cipherId(encrypted) : undefined,
      arrival: arrivalOf(phone.name, device, notification),
    };
  });
  const server = await serverTraces(phone).catch(silenceOf('chat server'));
  const all = [...(typeof server === 'string' ? [] : server), ...requests, ...arrivals];
  const ids = [...new Set(all.flatMap(({ cipher_id }) => cipher_id ?? []))];
  const bouncer = readBouncer
    ? await readBouncer(ids).catch(silenceOf('bouncer'))
    : 'no right: it tells the chat server (--bouncer, --org-id, --org-key) and its operator ("bellhop bouncer trace")';
  return { phone: phone.name, server, bouncer, requests, arrivals };
}

/** All that the server keeps of the phone's account. */
async function serverTraces(phone: PhoneEntry): Promise<PushTrace[]> {
  const client = clientOf(phone);
  const push_account_id = BigInt(phone.identity.push_account_id);
  const traces: PushTrace[] = [];
  for (let cursor: number | null | undefined; cursor !== null;) {
    const page = await client.devices.traces({
      push_account_id,
      limit: 100,
      ...(cursor === undefined ? {} : { cursor }),
    });
    traces.push(...page.traces);
    cursor = page.next_cursor;
  }
  return traces;
}

/** Why a service does not answer, for the trace. Other errors are thrown again. */
const silenceOf =
  (service: string) =>
  (error: unknown): string => {
    if (error instanceof ApiError && error.status === 404) return `the ${service} has no traces`;
    if (error instanceof ApiError && [401, 403].includes(error.status))
      return `no right: ${error.message}`;
    if (error instanceof ApiError || error instanceof ConnectionFailed)
      return `the ${service} does not answer: ${error.message}`;
    throw error;
  };

function traceText(trace: JoinedTrace): string {
  const { cipher_id, phone, verdict, silent, notes } = trace;
  return [
    `${cipher_id}  ${phone}: ${verdict}`,
    ...hopLines(trace).map(lineText),
    ...Object.entries(silent).map(
      ([hop, reason]) => `${'-'.padEnd(12)}  ${hop.padEnd(8)}  ${reason}`,
    ),
    ...notes.map((note) => `note: ${note}`),
  ].join('\n  ');
}
