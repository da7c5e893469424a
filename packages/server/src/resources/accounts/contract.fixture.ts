import type { ContractFixture } from '../../contract.fixture.ts';
import { addClientDevice, addDevice } from '../devices/add-device.fixture.ts';

export const fixture: ContractFixture = {
  samples: {
    'POST /fetch_api_key': () => ({ username: 'horatio@chat.test', password: 'a long password 4' }),
  },
  declared: {
    'POST /users/me/api_key/regenerate push_device device': async ({ chat }) => {
      const person = await chat.addPerson('regenerating');
      await addDevice(chat, person);
      await addClientDevice(chat, person);
      await person.client.accounts.regenerateApiKey();
    },
    'POST /fetch_api_key AUTHENTICATION_FAILED': ({ chat }) =>
      chat.people.hamlet.client.accounts.fetchApiKey({ username: 'a@b.c', password: 'x' }),
  },
};
