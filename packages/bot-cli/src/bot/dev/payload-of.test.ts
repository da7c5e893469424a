import { readDelivery } from '@bellhop/bot/internals';
import { expect, test } from 'vitest';

import { payloadOf } from './payload-of.ts';
import { directMessage, mention } from './payload.fixture.ts';

const user = { user_id: 7, email: 'iago@chat.test', full_name: 'Iago' };
const reaction = { id: '1', user, op: 'remove', emoji_name: 'tada', emoji_code: '1f389' };

test.each([
  mention('hello'),
  directMessage('hello'),
  { ...mention('hello'), trigger: 'reaction', change: reaction },
  { ...directMessage('hello'), trigger: 'edit', change: { id: '2', user, orig_content: 'x' } },
  { ...mention(''), trigger: 'delete', change: { id: '3' } },
])(
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
