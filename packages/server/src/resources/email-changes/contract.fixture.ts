import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';
import { createdAccount } from '../users/created-account.fixture.ts';
import { newEmailKey } from './new-email-key.fixture.ts';

let count = 0;
/** The key that confirms a new address of a new user. */
async function requested(chat: TestChat): Promise<string> {
  count += 1;
  return newEmailKey(chat, await createdAccount(chat), `moved${count}@example.com`);
}

export const fixture: ContractFixture = {
  samples: {
    'POST /email_changes/confirm': async (chat) => ({ key: await requested(chat) }),
  },
  declared: {
    'POST /email_changes/confirm realm_user': async ({ chat }) =>
      chat.people.hamlet.client.emailChanges.confirm({ key: await requested(chat) }),
  },
  changes: {
    'a user confirms a new address': async (chat) =>
      chat.people.hamlet.client.emailChanges.confirm({ key: await requested(chat) }),
  },
};
