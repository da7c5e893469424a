import type { ContractFixture } from '../../contract.fixture.ts';

export const fixture: ContractFixture = {
  declared: {
    'POST /users/me/alert_words alert_words': ({ chat: { people } }) =>
      people.hamlet.client.alertWords.add({ alert_words: ['skull'] }),
    'DELETE /users/me/alert_words alert_words': ({ chat: { people } }) =>
      people.hamlet.client.alertWords.remove({ alert_words: ['skull'] }),
  },
  changes: {
    'alert words added and removed': async ({ people: { hamlet } }) => {
      await hamlet.client.alertWords.add({ alert_words: ['Skull', 'ghost', 'poison'] });
      await hamlet.client.alertWords.remove({ alert_words: ['GHOST'] });
    },
    'a message with an alert word': async ({ people: { hamlet, iago } }) => {
      await hamlet.client.alertWords.add({ alert_words: ['skull'] });
      const to = [hamlet.user.id];
      await iago.client.messages.send({ type: 'direct', to, content: 'Alas, a Skull!' });
    },
  },
};
