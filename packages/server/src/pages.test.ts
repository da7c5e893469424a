import request from 'supertest';
import { expect, test } from 'vitest';

import { startTestChat } from './test-chat.fixture.ts';

test('the server serves the documentation, the OpenAPI document, health checks, emoji data and, at another address, metrics', async () => {
  await using chat = await startTestChat();
  const site = request(chat.server.listener);
  const docs = await site.get('/api/docs').expect(200).expect('content-type', /html/);
  expect(docs.text).toContain('POST /messages');
  expect(docs.headers['content-security-policy']).toContain("default-src 'none'");
  const openapi = await site.get('/api/openapi.json').expect(200);
  expect(openapi.body).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/api/v1' }] });
  await site.get('/api/icon.svg').expect(200).expect('content-type', /svg/);
  const emoji = await site.get('/api/emoji.json').expect(200);
  expect(emoji.body.code_to_names).toMatchObject({ '1f389': ['tada', 'party_popper'] });
  await site.get('/livez').expect(200, { status: 'alive' });
  await site.get('/readyz').expect(200, { status: 'ready' });
  await site.get('/api/v1/server_settings').expect(200);
  await site.get('/metrics').expect(404);
  const metrics = await request(chat.server.metrics).get('/metrics').expect(200);
  expect(metrics.text).toMatch(
    /bellhop_request_seconds_count\{operation="serverSettings.get",status="200"\} 1/,
  );
});

test('an unknown path returns NOT_FOUND in JSON', async () => {
  await using chat = await startTestChat();
  const site = request(chat.server.listener);
  const unknown = await site.get('/unknown').expect(404);
  expect(unknown.body).toMatchObject({ result: 'error', code: 'NOT_FOUND' });
});

test('/readyz names what is wrong, shows a wrong clock, and answers 503 once the server leaves', async () => {
  await using chat = await startTestChat({ now: () => Math.floor(Date.now() / 1000) + 7200 });
  const site = request(chat.server.listener);
  const ready = await site.get('/readyz').expect(200);
  expect(ready.body.clock_offset_seconds).toBeCloseTo(7200, -1);
  expect(chat.logged()).toContain('the clock of this node is not that of the database');
  const metrics = await request(chat.server.metrics).get('/metrics').expect(200);
  expect(metrics.text).toMatch(/^bellhop_clock_offset_seconds 7[12]\d\d/m);
  chat.server.leave();
  const leaving = { status: 'stopping', msg: 'The service is about to stop.' };
  await site.get('/readyz').expect(503, leaving);
  await site.get('/api/v1/server_settings').expect(200);
  await site.get('/livez').expect(200);
});
