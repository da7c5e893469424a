import { createClientFor } from '@bellhop/client';
import { bouncerOperator, OPERATOR_NAME, OPERATOR_PREFIX } from '@bellhop/protocol';
import { expect, onTestFinished, test } from 'vitest';

import { startTestBouncer } from '../test-bouncer.fixture.ts';

test.each([
  ['the ports of an address', (at: number) => `203.0.113.8:${40_000 + at}`],
  ['the addresses of an IPv6 network', (at: number) => `[2001:db8::${at + 1}]:443`],
  ['entries without an address', (at: number) => `unknown-${at}`],
])('behind a proxy, wrong operator tokens of %s are limited together', async (_what, entry) => {
  const bouncer = await startTestBouncer({
    config: { behindProxy: true, operatorToken: 'o'.repeat(40) },
  });
  onTestFinished(() => bouncer.stop());
  const codes: unknown[] = [];
  for (let at = 0; at < 40; at++) {
    const { keys } = createClientFor(bouncerOperator, {
      url: bouncer.url,
      prefix: OPERATOR_PREFIX,
      email: OPERATOR_NAME,
      apiKey: 'wrong',
      fetch: (input, init = {}) => {
        const headers = new Headers(init.headers);
        headers.set('x-forwarded-for', entry(at));
        return fetch(input, { ...init, headers });
      },
    });
    codes.push(await keys.list().catch((error: { code: string }) => error.code));
  }
  expect(new Set(codes)).toEqual(new Set(['UNAUTHORIZED', 'RATE_LIMIT_HIT']));
});
