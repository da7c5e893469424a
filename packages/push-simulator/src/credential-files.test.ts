import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { expect, test } from 'vitest';

import { startSimulator, writeCredentialFiles } from './push-simulator.ts';

test('writeCredentialFiles() writes private files that its environment lines name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'credentials-'));
  const simulator = await startSimulator();
  const files = writeCredentialFiles(simulator, folder);
  for (const path of Object.values(files)) expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(files.apns_key).toContain(`AuthKey_${simulator.credentials.apns.key_id}.p8`);
  expect(createPrivateKey(readFileSync(files.apns_key)).asymmetricKeyType).toBe('ec');
  expect(JSON.parse(readFileSync(files.service_account, 'utf8'))).toEqual(
    simulator.credentials.fcm,
  );
  expect(parseEnv(readFileSync(files.environment, 'utf8'))).toEqual({
    BELLHOP_BOUNCER_PROVIDER_CA_FILE: files.ca,
    BELLHOP_BOUNCER_APNS_URL: simulator.apns_url,
    BELLHOP_BOUNCER_APNS_TEAM_ID: simulator.credentials.apns.team_id,
    BELLHOP_BOUNCER_APNS_KEY_ID: simulator.credentials.apns.key_id,
    BELLHOP_BOUNCER_APNS_KEY_FILE: files.apns_key,
    BELLHOP_BOUNCER_FCM_URL: simulator.fcm_url,
    BELLHOP_BOUNCER_FCM_ACCOUNT_FILE: files.service_account,
    BELLHOP_BOUNCER_VAPID_KEY: simulator.credentials.webpush.private_key,
    BELLHOP_BOUNCER_VAPID_SUBJECT: simulator.credentials.webpush.subject,
    BELLHOP_BOUNCER_WEBPUSH_HOSTS: new URL(simulator.webpush_url).host,
    BELLHOP_BOUNCER_WEBPUSH_ALLOW: '127.0.0.0/8',
  });
  await simulator.stop();
  rmSync(folder, { recursive: true });
});
