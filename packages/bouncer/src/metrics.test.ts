import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { pushRequests, startTestBouncer, type TestServer } from './test-bouncer.fixture.ts';

const bouncer = await startTestBouncer();
afterAll(() => bouncer[Symbol.asyncDispose]());

/** The lines of `/metrics` without their values, sorted. */
async function series(): Promise<string[]> {
  const text = await (await fetch(bouncer.metricsUrl)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const names = lines.map((line) => line.slice(0, line.lastIndexOf(' '))).sort();
  // A kind of garbage collection, of sockets or of timers appears with the first one of it.
  return names.filter((name) => !/^nodejs_(gc|active)_/.test(name));
}

/** The names of the bouncer's own metrics. */
async function ownMetrics(): Promise<string[]> {
  const page = await (await fetch(bouncer.metricsUrl)).text();
  return [...page.matchAll(/^# TYPE (bellhop_bouncer_\w+)/gm)].map(([, name = '']) => name);
}

async function sendOne(server: TestServer): Promise<void> {
  const [phone, iphone] = [
    await bouncer.addDevice(server, 'fcm'),
    await bouncer.addDevice(server, 'apns'),
  ];
  await server.client.push.notify({
    realm_uuid: server.realmUuid,
    push_requests: [pushRequests.fcm(phone), pushRequests.apns(iphone)],
  });
}

const text = () => randomBytes(8).toString('hex');

/** Requests of which every part that the caller chooses is new. */
async function attack(server: TestServer): Promise<void> {
  const login = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const path = `/api/v1/remotes/push/e2ee/${text()}?${text()}=${text()}`;
  const method = ['PUT', 'DELETE', 'PATCH', 'QUERY'][randomBytes(1).readUInt8() % 4] ?? 'PUT';
  await fetch(bouncer.url + path, { method, headers: { authorization: login(text(), text()) } });
  await fetch(`${bouncer.url}/v1/realms/${randomUUID()}/devices`, {
    headers: { authorization: login(server.serverUuid, server.key), 'user-agent': text() },
  });
  await fetch(`${bouncer.url}/api/v1/remotes/push/e2ee/notify`, {
    method: 'POST',
    headers: { authorization: login(server.serverUuid, server.key), 'idempotency-key': text() },
    body: JSON.stringify({ realm_uuid: text(), push_requests: [{ [text()]: text() }] }),
  });
  await server.client.push
    .register({
      realm_uuid: server.realmUuid,
      push_account_id: 1n,
      encrypted_push_registration: text(),
      bouncer_public_key: bouncer.keyPair.publicKey,
    })
    .catch(() => {});
}

test('a caller cannot add series to /metrics with paths, methods, logins, IDs or fields of its choice', async () => {
  const server = await bouncer.addServer();
  await sendOne(server);
  for (let round = 0; round < 4; round++) await attack(server);
  const before = await series();
  const another = await bouncer.addServer();
  await sendOne(another);
  for (let round = 0; round < 40; round++) await attack(another);
  expect(await series()).toEqual(before);
});

test('/metrics answers without the database, and says that it is down', async () => {
  await using broken = await startTestBouncer();
  await broken.kysely.schema.dropTable('job').cascade().execute();
  const answer = await fetch(broken.metricsUrl);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('bellhop_bouncer_database_up 0');
});

const file = (name: string) => fileURLToPath(new URL(`../operations/${name}`, import.meta.url));

const Board = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      targets: z.array(z.object({ expr: z.string() })).optional(),
    }),
  ),
});
const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.object({ severity: z.enum(['warning', 'critical']) }),
          annotations: z.object({ summary: z.string(), action: z.string() }),
        }),
      ),
    }),
  ),
});

/** Names that PromQL gives to metrics of Prometheus itself and to the labels of a scrape. */
const ofPrometheus = ['up', 'job', 'instance', 'le'];

/** The metrics and labels of an expression. Throws if it is no PromQL. */
function namesIn(expression: string): string[] {
  const text = expression.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'job');
  const names: string[] = [];
  parser.parse(text).iterate({
    enter({ name, type, from, to }) {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${text}`);
      if (name === 'Identifier' || name === 'LabelName') names.push(text.slice(from, to));
    },
  });
  return names;
}

test('the Grafana board shows every metric of the bouncer, and it and the alert rules use only metrics and labels of /metrics', async () => {
  await sendOne(await bouncer.addServer());
  const page = await series();
  const metrics = page.map((line) => line.replace(/\{.*/, ''));
  const labels = page.flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
  const { panels } = Board.parse(JSON.parse(readFileSync(file('grafana-board.json'), 'utf8')));
  const { groups } = Rules.parse(parse(readFileSync(file('alerts.yml'), 'utf8')));
  const expressions = [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(30);
  // A counter of failures has no series before the first failure.
  const known = new Set([
    ...metrics,
    ...labels,
    ...ofPrometheus,
    'bellhop_bouncer_dead_tokens_total',
    'bellhop_bouncer_quota_exceeded_total',
    'quota',
  ]);
  const unknown = expressions.flatMap(namesIn).filter((name) => !known.has(name));
  expect(unknown).toEqual([]);
  const onBoard = panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => namesIn(expr)),
  );
  expect(
    (await ownMetrics()).filter((name) => !onBoard.some((one) => one.startsWith(name))),
  ).toEqual([]);
  expect(() => namesIn('sum by (')).toThrow('no PromQL');
  const promtool = spawnSync('promtool', ['check', 'rules', file('alerts.yml')], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  // Not every machine has Prometheus.
  if (!promtool.error) expect(promtool).toMatchObject({ status: 0 });
});
