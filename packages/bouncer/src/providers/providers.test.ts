import { type PushRequest, TokenKind } from '@bellhop/protocol';
import { expect, expectTypeOf, test } from 'vitest';

import { pushRequests } from '../test-bouncer.fixture.ts';
import { apns } from './apns/apns.ts';
import { fcm } from './fcm/fcm.ts';
import type { Provider } from './provider.ts';
import { type Providers, providers } from './providers.ts';
import type { SenderConfigs } from './sender-config.ts';

test.each(TokenKind.options)('the %s provider recognizes its own push requests only', (kind) => {
  const { isRequest }: { isRequest: (request: PushRequest) => boolean } = providers[kind];
  const device = { deviceId: 1, pushAccountId: 2n };
  const recognized = TokenKind.options.filter((other) => isRequest(pushRequests[other](device)));
  expect(recognized).toEqual([kind]);
});

test('a table of providers that lacks a kind of token does not compile', () => {
  expectTypeOf<keyof Providers>().toEqualTypeOf<TokenKind>();
  expectTypeOf<keyof SenderConfigs>().toEqualTypeOf<TokenKind>();
  // @ts-expect-error: there is no provider for fcm.
  const incomplete: Providers = { apns };
  expect(Object.keys(incomplete)).toEqual(['apns']);
});

test('a provider of one kind of token does not compile as that of another', () => {
  // @ts-expect-error: FCM does not take requests for APNs.
  const swapped: Providers = { apns: fcm, fcm };
  expect(swapped.apns).toBe(fcm);
});

test('a provider without one of its parts does not compile', () => {
  const { verdicts, ...withoutVerdicts } = apns;
  // @ts-expect-error: `verdicts` is missing.
  const first: Provider<'apns'> = withoutVerdicts;
  const { settings, ...withoutSettings } = apns;
  // @ts-expect-error: `settings` is missing.
  const second: Provider<'apns'> = withoutSettings;
  const { connect, ...withoutConnect } = apns;
  // @ts-expect-error: `connect` is missing.
  const third: Provider<'apns'> = withoutConnect;
  expect({ ...first, verdicts }).toEqual(apns);
  expect({ ...second, settings }).toEqual(apns);
  expect({ ...third, connect }).toEqual(apns);
});
