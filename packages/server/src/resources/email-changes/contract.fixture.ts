import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';
import { addClientDevice, addDevice } from '../devices/add-device.fixture.ts';
import { createdAccount } from '../users/created-account.fixture.ts';
import { newEmailKey } from './new-email-key.fixture.ts';

let count = 0;
const address = () => `moved${++count}@example.com`;
/** The key that confirms a new address of a new user. */
const requested = async (chat: TestChat, email = address()): Promise<string> =>
  newEmailKey(chat, await createdAccount(chat), email);

export const fixture: ContractFixture = {
  samples: {
    'POST /email_changes/confirm': async (chat) => ({ key: await requested(chat) }),
  },
  declared: {
    'POST /email_changes/confirm realm_user': async ({ chat }) =>
      chat.people.hamlet.client.emailChanges.confirm({ key: await requested(chat) }),
    'POST /email_changes/confirm push_device device': async ({ chat }) => {
      const created = await createdAccount(chat);
      const key = await newEmailKey(chat, created, address());
      await addDevice(chat, { user: { id: created.user_id } });
      await addClientDevice(chat, { user: { id: created.user_id } });
      await chat.people.hamlet.client.emailChanges.confirm({ key });
    },
    'POST /email_changes/confirm invites_changed': async ({ chat }) => {
      const { client } = chat.people.desdemona;
      const email = address();
      const key = await requested(chat, email);
      await client.invites.send({ invitee_emails: email, stream_ids: [] });
      await client.emailChanges.confirm({ key });
    },
  },
  changes: {
    'a user confirms a new address': async (chat) =>
      chat.people.hamlet.client.emailChanges.confirm({ key: await requested(chat) }),
  },
};
