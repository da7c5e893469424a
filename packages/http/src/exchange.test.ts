import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';

import { expect, test } from 'vitest';

import { exchangeOf } from './exchange.ts';

setFlagsFromString('--allow-natives-syntax');
const isFast = runInThisContext('(value) => %HasFastProperties(value)') as (
  value: object,
) => boolean;

/** V8 keeps an object literal with an accessor in dictionary mode. */
test('an Exchange is an object with fast properties', () => {
  const make = () => {
    const request = new IncomingMessage(new Socket());
    return exchangeOf(request, new ServerResponse(request), false);
  };
  expect([make(), make(), make()].map(isFast)).toEqual([true, true, true]);
});

test.each([
  ['Chat.Example.com', 'chat.example.com'],
  ['chat.example.com.', 'chat.example.com'],
  ['chat.example.com:80', 'chat.example.com'],
  ['chat.example.com.:4600', 'chat.example.com:4600'],
  ['xn--BCHER-kva.example', 'xn--bcher-kva.example'],
  ['[::1]:4600', '[::1]:4600'],
  ['A b', 'a b'],
])('the Host header %s is read as %s', (given, host) => {
  const request = new IncomingMessage(new Socket());
  request.headers.host = given;
  expect(exchangeOf(request, new ServerResponse(request), false).host).toBe(host);
});

test('behind a proxy with HTTPS, the host has no port 443', () => {
  const request = new IncomingMessage(new Socket());
  request.headers = { 'x-forwarded-host': 'chat.example.com:443', 'x-forwarded-proto': 'https' };
  expect(exchangeOf(request, new ServerResponse(request), true).host).toBe('chat.example.com');
});
