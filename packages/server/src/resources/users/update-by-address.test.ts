import { expect, test } from 'vitest';

import { type Person, startTestChat } from '../../test-chat.fixture.ts';

test('administrators change a user by an address that they may see, or by the one with the ID', async () => {
  await using chat = await startTestChat();
  const { iago, hamlet } = chat.people;
  const rename = (by: Person, address: string, full_name: string) =>
    chat.ask(by, `PATCH /users/${address}`, { full_name });
  for (const [address, full_name] of [
    [hamlet.email, 'By Address'],
    [encodeURIComponent(hamlet.email.toUpperCase()), 'By Encoded'],
    [`user${hamlet.user.id}@chat.test`, 'By Number'],
  ] as const) {
    expect(await rename(iago, address, full_name)).toMatchObject({ status: 200 });
    const { user } = await iago.client.users.get({ user_id: hamlet.user.id });
    expect(user.full_name).toBe(full_name);
  }
  await hamlet.client.settings.update({ email_address_visibility: 4 });
  for (const address of [hamlet.email, 'nobody@chat.test', 'nobody'])
    expect((await rename(iago, address, 'X')).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'No such user',
    });
  expect((await rename(hamlet, iago.email, 'X')).body).toMatchObject({
    code: 'UNAUTHORIZED_PRINCIPAL',
  });
});
