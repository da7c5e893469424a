import { expect, test } from 'vitest';

import { pushRequests, startTestBouncer } from './test-bouncer.fixture.ts';

test('the bouncer serves liveness, readiness and API documentation, and metrics on another address', async () => {
  await using bouncer = await startTestBouncer();
  const page = async (path: string) => {
    const response = await fetch(`${bouncer.url}${path}`);
    return { status: response.status, text: await response.text() };
  };
  expect(await page('/livez')).toEqual({ status: 200, text: '{"status":"alive"}' });
  const ready = await page('/readyz?verbose');
  const works = { sender: 'default', environment: 'production', app: null, state: 'works' };
  expect(JSON.parse(ready.text)).toMatchObject({
    status: 'ready',
    senders: [
      { provider: 'fcm', ...works },
      { provider: 'apns', ...works },
      { provider: 'webpush', ...works, state: 'unchecked' },
    ],
  });
  expect((await page('/api/docs')).text).toContain('/api/v1/remotes/push/e2ee/notify');
  expect((await page('/api/openapi.json')).text).toContain('"/push/e2ee/notify"');
  expect((await page('/api/docs/v1')).text).toContain('/v1/feedback');
  expect((await page('/api/openapi/v1.json')).text).toContain('"/realms/{realm_uuid}/pushes"');

  const server = await bouncer.addServer();
  const device = await bouncer.addDevice(server, 'fcm');
  await server.client.push.notify({
    realm_uuid: server.realmUuid,
    push_requests: [pushRequests.fcm(device)],
  });
  expect((await page('/metrics')).status).toBe(404);
  const text = await (await fetch(bouncer.metricsUrl)).text();
  for (const line of [
    'bellhop_bouncer_notification_attempts_total{provider="fcm",verdict="accepted"} 1',
    'bellhop_bouncer_registrations_total{result="registered"} 1',
    'bellhop_bouncer_pool{provider="fcm",sender="default",environment="production",of="sessions"} 1',
    'bellhop_bouncer_queue_notifications{provider="fcm"} 0',
    'bellhop_bouncer_attempt_seconds_count{provider="fcm",verdict="accepted"} 1',
    'bellhop_bouncer_delivery_seconds_count{provider="fcm",verdict="accepted"} 1',
    'operation="push.notify",status="200"} 1',
  ])
    expect(text).toContain(line);
  expect(text).toMatch(/bellhop_bouncer_credential_age_seconds\{provider="fcm",.*\} \d/);
  expect(text).not.toContain(device.token);
  expect((await page('/api/v1/remotes/nothing')).status).toBe(404);
});

test('/readyz answers 503 and /livez 200 while a table is missing', async () => {
  await using bouncer = await startTestBouncer();
  await bouncer.kysely.schema.dropTable('device').execute();
  expect((await fetch(`${bouncer.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${bouncer.url}/livez`)).status).toBe(200);
});
