import { listen } from '@bellhop/http';
import { startPushSimulator } from '@bellhop/push-simulator';
import { expect, test } from 'vitest';

import { UserError } from '../command-line/user-error.ts';
import { portAdvice, portsFrom } from './ports.ts';

test('ports follow the base; 0 is any for all', () => {
  expect(portsFrom(undefined)).toEqual(portsFrom('4600'));
  expect(portsFrom('')).toEqual(portsFrom('4600'));
  expect(portsFrom('5000')).toEqual({
    server: 5000,
    bouncer: 5001,
    console: 5002,
    bot: 5003,
    fcm: 5004,
    apns: 5005,
    apns_sandbox: 5006,
    control: 5007,
  });
  expect(new Set(Object.values(portsFrom('0')))).toEqual(new Set([0]));
});

test.each(['-1', '1.5', 'http', '65530', '1e9'])('%s is no base port', (text) => {
  expect(() => portsFrom(text)).toThrow(UserError);
});

test('a taken port, whoever finds it, is advice that names it', async () => {
  await using taken = await listen(() => {});
  const advice = new RegExp(`^Port ${taken.port} is taken: stop .* BELLHOP_PORT=\\d+ \\(0 = any`);
  const byUs = await listen(() => {}, { port: taken.port }).catch(portAdvice);
  expect(byUs).toMatchObject({ message: expect.stringMatching(advice) });
  const bySimulator = await startPushSimulator({ fcm_port: taken.port }).catch(portAdvice);
  expect(bySimulator).toMatchObject({ message: expect.stringMatching(advice) });
  expect(bySimulator).toBeInstanceOf(UserError);
});

test('other failures stay what they are', () => {
  const error = new Error('Port of call');
  expect(portAdvice(error)).toBe(error);
});
