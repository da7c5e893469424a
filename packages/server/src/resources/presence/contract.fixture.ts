import type { ContractFixture } from '../../contract.fixture.ts';
import { createdAccount } from '../users/created-account.fixture.ts';

const active = { status: 'active' } as const;

export const fixture: ContractFixture = {
  samples: {
    'GET /users/{user_id}/presence': async ({ people: { iago } }) => {
      await iago.client.presence.update(active);
      return { user_id: String(iago.user.id) };
    },
  },
  declared: {
    'POST /users/me/presence presence': async ({ chat }) => {
      const { client } = await chat.addPerson('present');
      await client.presence.update(active);
    },
  },
  changes: {
    'people who come online': async ({ people: { hamlet, iago } }) => {
      await hamlet.client.presence.update(active);
      await iago.client.presence.update({ status: 'idle' });
    },
    'a deactivated user who was online': async (chat) => {
      const { client, user_id } = await createdAccount(chat);
      await client.presence.update(active);
      await chat.people.iago.client.users.deactivate({ user_id });
    },
    'a reactivated user who was online': async (chat) => {
      const { client, user_id } = await createdAccount(chat);
      await client.presence.update(active);
      const { deactivate, reactivate } = chat.people.iago.client.users;
      await deactivate({ user_id });
      await reactivate({ user_id });
    },
    'presence turned off in the realm': async ({ people: { desdemona, hamlet } }) => {
      await hamlet.client.presence.update(active);
      await desdemona.client.realms.update({ presence_disabled: true });
    },
    'presence turned on again in the realm': async ({ people: { desdemona, hamlet } }) => {
      await hamlet.client.presence.update(active);
      await desdemona.client.realms.update({ presence_disabled: false });
    },
    'a user with a new address who is online': async (chat) => {
      const { client, user_id } = await createdAccount(chat);
      await client.presence.update(active);
      const new_email = 'renamed-2@chat.test';
      await chat.people.desdemona.client.users.update({ user_id, new_email });
    },
  },
};
