import type { ContractFixture } from '../../contract.fixture.ts';
import { imageOf } from '../../images/images.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';

const png = await imageOf('png', 10, 10);
let count = 0;
const next = () => `custom_${++count}`;

/** Uploads a custom emoji and returns its name. */
async function add({ client }: Person): Promise<string> {
  const emoji_name = next();
  await client.realmEmoji.upload(
    { emoji_name },
    { file: new File([new Uint8Array(png)], 'a.png') },
  );
  return emoji_name;
}

export const fixture: ContractFixture = {
  samples: {
    'POST /realm/emoji/{emoji_name}': () => ({ emoji_name: next() }),
    'DELETE /realm/emoji/{emoji_name}': async (_chat, caller) => ({
      emoji_name: await add(caller),
    }),
  },
  declared: {
    'POST /realm/emoji/{emoji_name} realm_emoji': ({ chat }) => add(chat.people.hamlet),
    'POST /realm/emoji/{emoji_name} BAD_IMAGE': ({ chat }) =>
      chat.people.hamlet.client.realmEmoji.upload(
        { emoji_name: next() },
        { file: new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.png') },
      ),
    'DELETE /realm/emoji/{emoji_name} realm_emoji': async ({ chat: { people } }) =>
      people.iago.client.realmEmoji.remove({ emoji_name: await add(people.hamlet) }),
  },
  changes: {
    'two custom emoji, one of them deactivated': async ({ people: { desdemona, iago } }) => {
      await add(desdemona);
      await iago.client.realmEmoji.remove({ emoji_name: await add(desdemona) });
    },
  },
};
