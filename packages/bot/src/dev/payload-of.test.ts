import { expect, test } from 'vitest';

import { readDelivery } from '../delivery.ts';
import { directMessage, mention } from '../example-payload.ts';
import { payloadOf } from './payload-of.ts';

test.each([mention('hello'), directMessage('hello')])('a $trigger is the same again', (payload) => {
  const delivery = readDelivery(payload)?.delivery;
  if (delivery === undefined) throw new Error('The payload of the test is wrong');
  const kept = payloadOf(delivery);
  expect(kept).not.toHaveProperty('token');
  expect(readDelivery({ token: 'any', ...kept })).toEqual({ token: 'any', delivery });
  expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
});
