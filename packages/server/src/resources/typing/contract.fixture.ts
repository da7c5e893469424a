import type { ContractFixture } from '../../contract.fixture.ts';

export const fixture: ContractFixture = {
  samples: {
    'POST /typing': ({ people }) => ({ op: 'start', to: `[${people.iago.user.id}]` }),
  },
  declared: {
    'POST /typing typing': ({ chat: { people } }) =>
      people.hamlet.client.typing.send({ op: 'start', to: [people.iago.user.id] }),
  },
  changes: {
    typing: ({ people: { hamlet, polonius, desdemona } }) =>
      hamlet.client.typing.send({ op: 'start', to: [polonius.user.id, desdemona.user.id] }),
  },
};
