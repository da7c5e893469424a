import { type Client, createClient } from '@bellhop/client';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';
import { avatarImages } from '../bots/bot-avatar.fixture.ts';

let bots = 0;

async function newBotUser({ people }: TestChat) {
  const short_name = `painter-${++bots}`;
  const bot = await people.hamlet.client.bots.create({ full_name: short_name, short_name });
  return { ...bot, email: `${short_name}-bot@chat.test` };
}
async function newBot(chat: TestChat): Promise<Client> {
  const { email, api_key } = await newBotUser(chat);
  return createClient({ url: chat.url, email, apiKey: api_key });
}

/** A user whom somebody without a login sees. */
const ofBot = async (chat: TestChat) => ({ user_id: String((await newBotUser(chat)).user_id) });

export const fixture: ContractFixture = {
  spectators: { 'GET /avatar/{user_id}': ofBot, 'GET /avatar/{user_id}/medium': ofBot },
  declared: {
    'POST /users/me/avatar BAD_IMAGE': ({ chat }) =>
      chat.people.hamlet.client.avatars.set({}, { file: new File(['text'], 'a.png') }),
    'POST /users/me/avatar realm_user realm_bot': async ({ chat }) =>
      (await newBot(chat)).avatars.set({}, { file: avatarImages.png }),
    'DELETE /users/me/avatar realm_user realm_bot': async ({ chat }) => {
      const client = await newBot(chat);
      await client.avatars.set({}, { file: avatarImages.png });
      await client.avatars.remove();
    },
  },
  changes: {
    'an avatar uploaded, replaced and removed': async ({ people: { hamlet, iago } }) => {
      await hamlet.client.avatars.set({}, { file: avatarImages.png });
      await hamlet.client.avatars.set({}, { file: avatarImages.gif });
      await iago.client.avatars.set({}, { file: avatarImages.png });
      await iago.client.avatars.remove();
    },
  },
};
