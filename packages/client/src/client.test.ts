import type { MessageId } from '@bellhop/protocol';
import { expectTypeOf, test } from 'vitest';

import type { Client } from './client.ts';

test('a client has every operation of the contract under its name', () => {
  expectTypeOf<Client['messages']>().toHaveProperty('send');
  expectTypeOf<Client>().not.toHaveProperty('absentFeatures');
  // @ts-expect-error There is no such operation.
  void ((client: Client) => client.messages.shout());
});

test('a call takes the parameters of the contract and returns its result', () => {
  const send = (client: Client) =>
    client.messages.send({ type: 'direct', to: [1], content: 'hello' });
  expectTypeOf(send).returns.resolves.toHaveProperty('id').toEqualTypeOf<MessageId>();
  // @ts-expect-error `content` is missing.
  void ((client: Client) => client.messages.send({ type: 'direct', to: [1] }));
  // @ts-expect-error There is no such type.
  void ((client: Client) => client.messages.send({ type: 'shout', to: [1], content: 'x' }));
});

test('parameters may be omitted only if none is required', () => {
  void ((client: Client) => client.users.me());
  // @ts-expect-error `user_id` is missing.
  void ((client: Client) => client.users.get());
});
