import { userSettingNames } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { startTestChat } from '../../test-chat.fixture.ts';
import { asFields, otherValues } from './other-values.fixture.ts';

test('the older paths of PATCH /settings take every setting, a name, an address and a password', async () => {
  await using chat = await startTestChat();
  for (const path of ['/settings/display', '/settings/notifications']) {
    const name = path.slice('/settings/'.length);
    const person = await chat.addPerson(name, undefined, { password: 'old password' });
    const values = otherValues(userSettingNames);
    const { body } = await chat.ask(person, `PATCH ${path}`, {
      ...asFields(values),
      full_name: `Horatio ${name}`,
      email: `new-${name}@chat.test`,
      old_password: 'old password',
      new_password: 'a new and long password',
    });
    expect(body, path).toMatchObject({ result: 'success' });
    const { user_settings } = await person.client.queues.register({
      fetch_event_types: ['user_settings'],
    });
    expect(user_settings, path).toMatchObject(values);
    expect((await person.client.users.me()).full_name).toBe(`Horatio ${name}`);
  }
});
