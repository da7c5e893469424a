import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

import { createOutbound } from '@bellhop/http/outbound';
import { startTestChat } from '@bellhop/server/testing';
import { expect, test } from 'vitest';

import { apiErrorOf } from './support/api-error.ts';
import { newOrgKey, startPushBouncer, watchDevices } from './support/push-stack.ts';

test('a chat server takes its host name back from the server that registered it first, and its phones register', async () => {
  const port = Promise.withResolvers<number>();
  /**
   * The outbound client of production, but chat.test leads to the chat server of this test, without
   * TLS.
   */
  const outbound = createOutbound({
    allow: ['127.0.0.0/8'],
    resolve: async () => [{ address: '192.0.43.7' }],
    dial: async () => {
      const socket = connect(await port.promise, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
  });
  await using bouncer = await startPushBouncer({ outbound });
  const squatter = { id: randomUUID(), key: newOrgKey() };
  await bouncer.bouncerClient().servers.register({
    zulip_org_id: squatter.id,
    zulip_org_key: squatter.key,
    hostname: 'chat.test',
    contact_email: 'squatter@example.com',
  });
  // The chat server registers itself as soon as it starts.
  await using chat = await startTestChat({ env: bouncer.serverEnvironment });
  port.resolve(Number(new URL(chat.url).port));
  const { hamlet } = chat.people;
  const events = await watchDevices(hamlet);
  const phone = bouncer.newPhone('fcm');
  await hamlet.client.devices.registerPush(phone.registration());
  expect(await events.next()).toMatchObject({ type: 'push_device', status: 'active' });
  expect(await apiErrorOf(bouncer.bouncerClient(squatter).servers.analyticsStatus())).toMatchObject(
    { code: 'UNAUTHORIZED' },
  );
});
