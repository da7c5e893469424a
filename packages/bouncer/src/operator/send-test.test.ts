import { afterAll, beforeEach, expect, test } from 'vitest';

import { startTestBouncer } from '../test-bouncer.fixture.ts';
import { sendTest } from './send-test.ts';

const bouncer = await startTestBouncer();
afterAll(() => bouncer[Symbol.asyncDispose]());
const server = await bouncer.addServer();
const operator = { database: bouncer.database, name: 'tester', now: Date.now };
const { faults, devices } = bouncer.simulator;
beforeEach(() => void faults.clear());
const sendTo = (deviceId: number) => sendTest(operator, bouncer.config, deviceId);

test.each(['apns', 'fcm', 'webpush'] as const)(
  'sendTest sends a device of %s one notification',
  async (kind) => {
    const { deviceId, token } = await bouncer.addDevice(server, kind);
    const { isAccepted, lines } = await sendTo(deviceId);
    expect(isAccepted).toBe(true);
    expect(lines.join('\n')).toMatch(/^Device \d+: (APNs|FCM|Web Push)[^\n]*\nAccepted: /);
    expect(lines.join('\n')).not.toContain(token);
    expect(devices.received(token)).toHaveLength(1);
  },
);

test.each([
  ['BadDeviceToken', 400, /^Dead: APNs says that the token is invalid \(BadDeviceToken\)/m],
  ['InvalidProviderToken', 403, /^Configuration: APNs does not accept the bouncer/m],
  ['ServiceUnavailable', 503, /^Not now: .* would try again after \d+ s\.$/m],
  ['BadCollapseId', 400, /^Refused: APNs does not accept this notification \(BadCollapseId\)/m],
  ['DeviceTokenNotForTopic', 400, /^(Wrong app|Dead): APNs says/m],
])(
  'sendTest explains the answer %s, and the device stays registered',
  async (reason, status, words) => {
    const { deviceId, token } = await bouncer.addDevice(server, 'apns');
    faults.add({ provider: 'apns', fault: { status, reason } });
    const { isAccepted, lines } = await sendTo(deviceId);
    expect(isAccepted).toBe(false);
    expect(lines.join('\n')).toMatch(words);
    expect(devices.received(token)).toEqual([]);
    const rows = bouncer.kysely.selectFrom('device').select('expired_at');
    expect(await rows.where('device_id', '=', deviceId).executeTakeFirst()).toEqual({
      expired_at: null,
    });
  },
);

test('sendTest names an unknown device', async () => {
  await expect(sendTo(999_999)).rejects.toThrow('There is no device 999999.');
});
