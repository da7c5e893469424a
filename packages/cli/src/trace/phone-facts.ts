import type { PushTrace } from '@bellhop/protocol';
import { cipherId } from '@bellhop/push-crypto/cipher-id';
import { appDataOf } from '@bellhop/push-simulator';
import type { HopFacts } from '@bellhop/push-trace';
import { z } from 'zod';

import { arrivalOf } from '../phones/arrival.ts';
import type { PhoneEntry } from '../phones/phone-store.ts';
import { clientOf, deviceOf, notificationsAfter } from '../phones/simulated-phone.ts';
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
    : 'no right: it tells the chat server (--bouncer, --org-id, --org-key) and its operator';
  return { phone: phone.name, server, bouncer, requests, arrivals };
}

/** All that the server keeps of the phone's account or device. */
async function serverTraces(phone: PhoneEntry): Promise<PushTrace[]> {
  const client = clientOf(phone);
  const { identity } = phone;
  const of =
    'device_id' in identity
      ? { device_id: identity.device_id }
      : { push_account_id: BigInt(identity.push_account_id) };
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
