import type { ContractFixture } from '../../contract.fixture.ts';
import { createSignInKey } from '../../model/console-sessions/sign-in-key.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

export const newSignInKey = (chat: TestChat): Promise<string> =>
  chat.server.app.change(chat.realm, ({ db }) =>
    createSignInKey(db, [chat.people.hamlet.user], chat.server.app.now()),
  );

const nobody = { username: 'a@b.c', password: 'x' };

export const fixture: ContractFixture = {
  samples: {
    'POST /console/session': () => ({
      username: 'horatio@chat.test',
      password: 'a long password 4',
    }),
    'POST /console/session/redeem': async (chat) => ({ key: await newSignInKey(chat) }),
  },
  declared: {
    'POST /console/session AUTHENTICATION_FAILED': ({ chat }) =>
      chat.people.hamlet.client.consoleSessions.signIn(nobody),
    'POST /console/session/redeem AUTHENTICATION_FAILED': ({ chat }) =>
      chat.people.hamlet.client.consoleSessions.redeem({ key: 'used' }),
  },
};
