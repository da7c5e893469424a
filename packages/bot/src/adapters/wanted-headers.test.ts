import { expect, test } from 'vitest';

import { wantedHeaders } from './wanted-headers.ts';

test('what says something about a delivery is found, in any case, the first of each', () => {
  const raw = [
    ['Host', 'bots.test'],
    ['Content-Type', 'application/json'],
    ['content-type', 'text/plain'],
    ['WEBHOOK-ID', 'msg_1'],
    ['Webhook-Signature', 'v1,x'],
    ['Webhook-Timestamp', '1'],
    ['Content-Length', '12'],
    ['User-Agent', 'x'],
  ].flat();
  expect(wantedHeaders(raw)).toEqual({
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-signature': 'v1,x',
    'webhook-timestamp': '1',
    'content-length': '12',
  });
  expect(wantedHeaders([])).toEqual({});
  expect(wantedHeaders(['constructor', 'x', '__proto__', 'y'])).toEqual({});
});
