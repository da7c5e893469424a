import type { ContractFixture } from '../../contract.fixture.ts';

const status_text = 'in a meeting';

export const fixture: ContractFixture = {
  samples: {
    'POST /users/me/status': () => ({ status_text }),
    'POST /users/{user_id}/status': ({ people: { iago } }) => ({
      user_id: String(iago.user.id),
      emoji_name: 'tada',
    }),
  },
  declared: {
    'POST /users/me/status user_status': ({ chat: { people } }) =>
      people.hamlet.client.userStatus.set({ status_text }),
    'POST /users/{user_id}/status user_status': ({ chat: { people } }) =>
      people.iago.client.userStatus.setOf({ user_id: people.hamlet.user.id, status_text }),
  },
  changes: {
    'a status set, changed and removed': async ({ people: { hamlet, cordelia, iago } }) => {
      await hamlet.client.userStatus.set({ status_text, emoji_name: 'tada', away: true });
      await hamlet.client.userStatus.set({ emoji_name: '', away: false });
      await cordelia.client.userStatus.set({ status_text });
      await iago.client.userStatus.setOf({ user_id: cordelia.user.id, status_text: '' });
    },
  },
};
