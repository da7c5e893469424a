import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { type BouncerTables, migrations } from '@bellhop/bouncer';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { bouncerEnvironment, startSimulator } from '@bellhop/push-simulator';
import { afterAll, expect, test, vi } from 'vitest';

import { runBellhop, stubVariables } from '../run-bellhop.fixture.ts';
import { newSecrets } from '../secrets/new-secrets.ts';

const database = await createTestDatabase<BouncerTables>({ migrations });
const simulator = await startSimulator();
const directory = await mkdtemp(join(tmpdir(), 'doctor-apps-'));
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
  await simulator.stop();
  await database[Symbol.asyncDispose]();
});

test('bellhop bouncer doctor names the broken one of two Firebase projects, and the missing default', async () => {
  const { BELLHOP_BOUNCER_PROVIDER_CA: ca, BELLHOP_BOUNCER_FCM_ACCOUNT: account = '' } =
    bouncerEnvironment(simulator);
  const path = (name: string) => join(directory, name);
  await writeFile(path('good.json'), account);
  const broken = { ...JSON.parse(account), client_email: 'nobody@example.com' } as object;
  await writeFile(path('broken.json'), JSON.stringify(broken));
  const entry = (name: string, app: string) => ({
    name,
    account_file: `${name}.json`,
    apps: [app],
    url: simulator.fcm_url,
  });
  const fcm = [entry('good', 'org.example.one'), entry('broken', 'org.example.two')];
  await writeFile(path('apps.yaml'), JSON.stringify({ fcm }));
  const environment = {
    ...parseEnv(newSecrets('keys')),
    BELLHOP_BOUNCER_DATABASE_URL: database.url,
    BELLHOP_BOUNCER_PROVIDER_CA: ca,
    BELLHOP_BOUNCER_APPS_FILE: path('apps.yaml'),
  };
  stubVariables(environment);
  const { out } = await runBellhop('bouncer', 'doctor');
  expect(out).toContain('ok    FCM (good): credentials: accepted by FCM');
  expect(out).toMatch(
    /FAIL {2}FCM \(broken\): credentials: .*\n {6}.*the account of the entry broken of the apps file/,
  );
  expect(out).not.toContain('BELLHOP_BOUNCER_FCM_ACCOUNT');
  expect(out).toMatch(
    /WARN {2}FCM: default: .*phones whose registration names no app are refused\n {6}Put default: true/,
  );
});
