import { readDelivery } from '@bellhop/bot/internals';
import { expect, test } from 'vitest';

import { payloadOf } from './payload-of.ts';
import { directMessage, mention } from './payload.fixture.ts';

test.each([mention('hello'), directMessage('hello')])(
  'payloadOf turns a $trigger back into the payload it was read from, without the token',
  (payload) => {
    const delivery = readDelivery(payload)?.delivery;
    if (delivery === undefined) throw new Error('The payload of the test is wrong');
    const kept = payloadOf(delivery);
    expect(kept).not.toHaveProperty('token');
    expect(readDelivery({ token: 'any', ...kept })).toEqual({ token: 'any', delivery });
    expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
  },
);
