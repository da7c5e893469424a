import type { PushTrace } from '@bellhop/protocol';
import { cipherId } from '@bellhop/push-crypto/cipher-id';
import { appDataOf } from '@bellhop/push-simulator';
import type { HopFacts, TracedArrival } from '@bellhop/push-trace';
import { z } from 'zod';

import { arrivalOf } from '../phones/arrival.ts';
import type { PhoneEntry } from '../phones/phone-store.ts';
import {
  clientOf,
  deviceOf,
  notificationsAfter,
  numbersOf,
  serverNumberOf,
} from '../phones/simulated-phone.ts';
import { controlClient } from '../simulator/control-client.ts';
import { type ReadBouncerTraces, silenceOf } from './bouncer-access.ts';
import { providerRequest } from './provider-request.ts';

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

/** What all services tell of the notifications to a phone. */
export async function phoneFacts(
  phone: PhoneEntry,
  readBouncer: ReadBouncerTraces | undefined,
): Promise<HopFacts> {
  // What was pushed before a rotation has the older token, or is for the older key.
  const times = [phone, ...(phone.earlier ?? []).map((before) => ({ ...phone, ...before }))];
  const tokens = Map.groupBy(times, ({ token }) => token);
  const answer = await controlClient(phone.simulator).call('GET', '/requests');
  const requests = Requests.parse(answer)
    .requests.filter(({ token }) => token !== null && tokens.has(token))
    .map(providerRequest);
  const arrivals = (await Promise.all([...tokens.values()].map(arrivalsAt))).flat();
  const server = await serverTraces(times).catch(silenceOf('chat server'));
  const all = [...(typeof server === 'string' ? [] : server), ...requests, ...arrivals];
  const ids = [...new Set(all.flatMap(({ cipher_id }) => cipher_id ?? []))];
  const bouncer = readBouncer
    ? await readBouncer(ids).catch(silenceOf('bouncer'))
    : 'no right: it tells the chat server (--bouncer, --org-id, --org-key) and its operator';
  return { phone: phone.name, server, bouncer, requests, arrivals };
}

/** What arrived at the times at which the phone had one token, each decrypted by the key of its time. */
async function arrivalsAt(times: readonly PhoneEntry[]): Promise<TracedArrival[]> {
  const [phone] = times;
  if (!phone) return [];
  const devices = times.map(deviceOf);
  return (await notificationsAfter(phone, 0)).flatMap((notification) => {
    const encrypted = appDataOf(notification).fields['encrypted_data'];
    const cipher_id = typeof encrypted === 'string' ? cipherId(encrypted) : undefined;
    const arrivals = devices.map((device) => arrivalOf(phone.name, device, notification));
    const arrival = arrivals.find(({ refused }) => refused === undefined) ?? arrivals[0];
    return arrival ? [{ cipher_id, arrival }] : [];
  });
}

/** All that the server keeps of the numbers that the phone had. */
async function serverTraces(times: readonly PhoneEntry[]): Promise<PushTrace[]> {
  const numbers = new Map(
    times.map((phone) => [JSON.stringify(numbersOf(phone.identity)), phone] as const),
  );
  return (await Promise.all(Array.from(numbers.values(), tracesOf))).flat();
}

async function tracesOf(phone: PhoneEntry): Promise<PushTrace[]> {
  const client = clientOf(phone);
  const of = serverNumberOf(phone.identity);
  const traces: PushTrace[] = [];
  for (let cursor: number | null | undefined; cursor !== null;) {
    const page = await client.devices.traces({
      ...of,
      limit: 100,
      ...(cursor === undefined ? {} : { cursor }),
    });
    traces.push(...page.traces);
    cursor = page.next_cursor;
  }
  return traces;
}
