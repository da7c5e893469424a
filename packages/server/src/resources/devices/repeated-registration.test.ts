import { payloadCipher } from '@bellhop/push-crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { runQueuedJobs } from '../../run-queued-jobs.fixture.ts';
import { waitingForLocks } from '../../waiting-for-locks.fixture.ts';
import { pushDevicesOf } from './push-devices-of.ts';
import { failure, startScriptedBouncer, success } from './scripted-bouncer.fixture.ts';

/** As a client that reads why a device failed. */
const asking = { push_device_error_message: true };

const REGISTER = '/push/e2ee/register';

const registration = (push_account_id: bigint) => ({
  token_kind: 'fcm' as const,
  push_account_id,
  push_public_key: payloadCipher.createKey().push_key,
  bouncer_public_key: 'the key of the bouncer',
  encrypted_push_registration: payloadCipher.createKey().push_key,
});

/**
 * A chat server whose bouncer fails until it recovers. `sent` are the boxes that the bouncer got, or got
 * since then. `postpone` waits until it has failed as many registrations, and lets them wait.
 */
async function startFailingBouncer() {
  const stack = await startScriptedBouncer({ [REGISTER]: failure(503, 'INTERNAL_ERROR') });
  const { kysely } = stack.chat.server.app.db;
  let seen = 0;
  const sent = () => {
    const requests = stack.requestsTo(REGISTER).slice(seen);
    return [...new Set(requests.map(({ fields }) => fields['encrypted_push_registration']))];
  };
  return {
    ...stack,
    sent,
    // An attempt has not ended yet when the bouncer has its request: then it is due again in two seconds.
    postpone: (registrations: number) =>
      expect
        .poll(async () => {
          const { rows } = await sql`update job set due_at = now() + '1 h'
            where name = 'register_with_bouncer' and state = 'queued' and failures > 0
            returning id`.execute(kysely);
          return rows.length;
        })
        .toBe(registrations),
    recover(response: object) {
      seen = stack.requestsTo(REGISTER).length;
      stack.script[REGISTER] = success(response);
    },
  };
}

test('a phone that registers again while the bouncer is down is registered with its newest box', async () => {
  await using stack = await startFailingBouncer();
  const { chat, sent } = stack;
  const { user, client } = chat.people.hamlet;
  const [older, newer] = [registration(7n), registration(7n)];
  await client.devices.registerPush(older);
  await expect.poll(sent).toEqual([older.encrypted_push_registration]);
  await client.devices.unregisterPush({ push_account_id: 7n });
  await client.devices.registerPush(newer);
  await expect.poll(sent).toContain(newer.encrypted_push_registration);
  stack.recover({ device_id: 12 });
  await runQueuedJobs(chat, 'register_with_bouncer');
  expect(sent()).toEqual([newer.encrypted_push_registration]);
  expect(await pushDevicesOf(chat.server.app.db.kysely, user, asking)).toEqual({
    7: { status: 'active', error_code: null },
  });
});

test('a registration that the bouncer gets late does not replace a newer one with the same token', async () => {
  await using stack = await startFailingBouncer();
  const { chat, sent } = stack;
  const { user, client } = chat.people.hamlet;
  const states = () => pushDevicesOf(chat.server.app.db.kysely, user, asking);
  const older = registration(7n);
  await client.devices.registerPush(older);
  await expect.poll(sent).toEqual([older.encrypted_push_registration]);
  await stack.postpone(1);
  stack.recover({ device_id: 13 });
  await client.devices.registerPush(registration(8n));
  await expect.poll(states).toMatchObject({ 7: { status: 'pending' }, 8: { status: 'active' } });
  stack.recover({ device_id: 12, same_token_device_ids: [13] });
  await runQueuedJobs(chat, 'register_with_bouncer');
  expect(await states()).toEqual({
    7: {
      status: 'failed',
      error_code: 'REQUEST_EXPIRED',
      error_message: expect.stringContaining('A newer registration with the same token'),
    },
    8: { status: 'active', error_code: null },
  });
});

test('of two registrations with one token that the bouncer answers at once, the newer one stays', async () => {
  await using stack = await startFailingBouncer();
  const { chat, sent } = stack;
  const { user, client } = chat.people.hamlet;
  const { db } = chat.server.app;
  const states = () => pushDevicesOf(db.kysely, user, asking);
  const [older, newer] = [registration(7n), registration(8n)];
  const makeDue = ({ encrypted_push_registration: box }: typeof older) =>
    sql`update job set due_at = to_timestamp(0)
      where payload ->> 'encrypted_push_registration' = ${box}`.execute(db.kysely);
  await client.devices.registerPush(older);
  await client.devices.registerPush(newer);
  await expect.poll(sent).toHaveLength(2);
  await stack.postpone(2);
  await db.transaction(async (tx) => {
    await sql`select from push_device where push_account_id = 7 for update`.execute(tx);
    stack.recover({ device_id: 12 });
    await makeDue(older);
    await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(1);
    stack.recover({ device_id: 13, same_token_device_ids: [12] });
    await makeDue(newer);
    // The newer one waits for the older one, or is active before it.
    const isNext = async () =>
      (await waitingForLocks(chat)) === 2 || (await states())['8']?.status === 'active';
    await expect.poll(isNext, { timeout: 10_000 }).toBe(true);
  });
  await expect
    .poll(states)
    .toMatchObject({ 7: { status: 'failed' }, 8: { status: 'active', error_code: null } });
});
