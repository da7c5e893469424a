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
