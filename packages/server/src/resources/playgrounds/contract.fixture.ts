import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

let count = 0;
const next = () => ({
  name: `Playground ${++count}`,
  highlighter_language: 'rust',
  url_template: 'https://play.test/?code={code}',
});
const add = ({ people }: TestChat) => people.desdemona.client.playgrounds.add(next());

export const fixture: ContractFixture = {
  samples: {
    'POST /realm/playgrounds': next,
    'DELETE /realm/playgrounds/{playground_id}': async (chat) => ({
      playground_id: String((await add(chat)).id),
    }),
  },
  declared: {
    'POST /realm/playgrounds realm_playgrounds': ({ chat }) => add(chat),
    'DELETE /realm/playgrounds/{playground_id} realm_playgrounds': async ({ chat }) =>
      chat.people.iago.client.playgrounds.remove({ playground_id: (await add(chat)).id }),
  },
  changes: {
    'two code playgrounds, one of them removed': async (chat) => {
      await add(chat);
      await chat.people.iago.client.playgrounds.remove({ playground_id: (await add(chat)).id });
    },
  },
};
