import { payloadCipher } from '@bellhop/push-crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { commitTogether } from '../../commit-together.fixture.ts';
import type { TestResponse } from '../../test-chat.fixture.ts';
import { pushDevicesOf } from './push-devices-of.ts';
import { startScriptedBouncer, success } from './scripted-bouncer.fixture.ts';

/** As a client that reads why a device failed. */
const asking = { push_device_error_message: true };

let stack: Awaited<ReturnType<typeof startScriptedBouncer>>;
beforeAll(async () => {
  stack = await startScriptedBouncer({ '/push/e2ee/register': success({ device_id: 12 }) });
});
afterAll(() => stack[Symbol.asyncDispose]());

test('a user who is deactivated at the same time cannot register a device', async () => {
  const { chat } = stack;
  const { desdemona } = chat.people;
  const person = await chat.addPerson('leaver');
  const responses: TestResponse[] = [];
  await commitTogether(chat, [
    () => desdemona.client.users.deactivate({ user_id: person.user.id }),
    async () => {
      responses.push(
        await chat.ask(person, 'POST /mobile_push/register', {
          token_kind: 'fcm',
          push_account_id: '7',
          push_public_key: payloadCipher.createKey().push_key,
          bouncer_public_key: 'the key of the bouncer',
          encrypted_push_registration: payloadCipher.createKey().push_key,
        }),
      );
    },
  ]);
  expect(responses).toMatchObject([{ status: 401, body: { code: 'USER_DEACTIVATED' } }]);
  expect(await pushDevicesOf(chat.server.app.db.kysely, person.user, asking)).toEqual({});
});
