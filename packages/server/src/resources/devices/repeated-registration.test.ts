import { payloadCipher } from '@bellhop/push-crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { runQueuedJobs } from '../../run-queued-jobs.fixture.ts';
import { pushDevicesOf } from './push-devices-of.ts';
import { failure, startScriptedBouncer, success } from './scripted-bouncer.fixture.ts';

const REGISTER = '/push/e2ee/register';

const registration = (push_account_id: bigint) => ({
  token_kind: 'fcm' as const,
  push_account_id,
  push_public_key: payloadCipher.createKey().push_key,
  bouncer_public_key: 'the key of the bouncer',
  encrypted_push_registration: payloadCipher.createKey().push_key,
});

/** A chat server whose bouncer fails until it recovers. `sent` are the boxes that the bouncer got, or got since then. */
async function startFailingBouncer() {
  const stack = await startScriptedBouncer({ [REGISTER]: failure(503, 'INTERNAL_ERROR') });
  let seen = 0;
  const sent = () => {
    const requests = stack.requestsTo(REGISTER).slice(seen);
    return [...new Set(requests.map(({ fields }) => fields['encrypted_push_registration']))];
  };
  return {
    ...stack,
    sent,
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
  expect(await pushDevicesOf(chat.server.app.db.kysely, user)).toEqual({
    7: { status: 'active', error_code: null },
  });
});

test('a registration that the bouncer gets late does not replace a newer one with the same token', async () => {
  await using stack = await startFailingBouncer();
  const { chat, sent } = stack;
  const { user, client } = chat.people.hamlet;
  const states = () => pushDevicesOf(chat.server.app.db.kysely, user);
  const older = registration(7n);
  await client.devices.registerPush(older);
  await expect.poll(sent).toEqual([older.encrypted_push_registration]);
  await sql`update job set due_at = now() + '1 h' where state = 'queued'`.execute(
    chat.server.app.db.kysely,
  );
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
