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

/** An accessor in an object literal makes it slow from the second on. */
test('an exchange is a fast object, so that it goes as soon as it is answered', () => {
  const make = () => {
    const request = new IncomingMessage(new Socket());
    return exchangeOf(request, new ServerResponse(request), false);
  };
  expect([make(), make(), make()].map(isFast)).toEqual([true, true, true]);
});
