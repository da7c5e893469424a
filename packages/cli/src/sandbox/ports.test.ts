import { UserError } from '@bellhop/bot-cli/command-line';
import { listen } from '@bellhop/http';
import { startSimulator } from '@bellhop/push-simulator';
import { expect, test } from 'vitest';

import { portAdvice, portsFrom } from './ports.ts';

test('ports are consecutive from the base port; base 0 means any free ports', () => {
  expect(portsFrom(undefined)).toEqual(portsFrom('4600'));
  expect(portsFrom('')).toEqual(portsFrom('4600'));
  expect(portsFrom('5000')).toEqual({
    server: 5000,
    bouncer: 5001,
    bot: 5002,
    fcm: 5003,
    apns: 5004,
    apns_sandbox: 5005,
    control: 5006,
    webpush: 5007,
  });
  expect(new Set(Object.values(portsFrom('0')))).toEqual(new Set([0]));
});

test.each(['-1', '1.5', 'http', '65530', '1e9'])('portsFrom rejects %s as a base port', (text) => {
  expect(() => portsFrom(text)).toThrow(UserError);
});

test('a taken port becomes a UserError that names it and suggests another', async () => {
  await using taken = await listen(() => {});
  const advice = new RegExp(`^Port ${taken.port} is taken: stop .* BELLHOP_PORT=\\d+ \\(0 = any`);
  const byUs = await listen(() => {}, { port: taken.port }).catch(portAdvice);
  expect(byUs).toMatchObject({ message: expect.stringMatching(advice) });
  const bySimulator = await startSimulator({ fcm_port: taken.port }).catch(portAdvice);
  expect(bySimulator).toMatchObject({ message: expect.stringMatching(advice) });
  expect(bySimulator).toBeInstanceOf(UserError);
});

test('portAdvice returns other errors unchanged', () => {
  const error = new Error('Port of call');
  expect(portAdvice(error)).toBe(error);
});
