import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';
import { addClientDevice, addDevice } from '../devices/add-device.fixture.ts';
import { newResetKey } from './new-reset-key.fixture.ts';

const new_password = 'another long password';
let people = 0;
const newPerson = (chat: TestChat) => chat.addPerson(`forgetful${++people}`);

export const fixture: ContractFixture = {
  samples: {
    'POST /password_resets/request': () => ({ email: `forgetful${++people}@example.com` }),
    'POST /users/{user_id}/password_reset': async (chat) => ({
      user_id: String((await newPerson(chat)).user.id),
    }),
    'POST /password_resets/confirm': async (chat) => ({
      key: await newResetKey(chat, (await newPerson(chat)).email),
      new_password,
    }),
  },
  declared: {
    'POST /password_resets/confirm push_device device': async ({ chat }) => {
      const person = await newPerson(chat);
      await addDevice(chat, person);
      await addClientDevice(chat, person);
      const key = await newResetKey(chat, person.email);
      await person.client.passwordResets.confirm({ key, new_password });
    },
  },
};
