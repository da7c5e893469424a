import type { ContractFixture } from '../../contract.fixture.ts';

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
  },
};
