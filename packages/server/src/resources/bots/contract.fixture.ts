import { roles } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';
import { avatarImages } from './bot-avatar.fixture.ts';

let bots = 0;

/** Creates an outgoing webhook bot of this user. */
async function newBot({ client }: Person) {
  const bot = await client.bots.create({
    full_name: `Hook ${++bots}`,
    short_name: `hook-${bots}`,
    bot_type: 3,
    payload_url: 'http://127.0.0.1:9999/',
  });
  return bot.user_id;
}

export const fixture: ContractFixture = {
  samples: {
    'POST /bots': () => ({ full_name: `Bot ${++bots}`, short_name: `sample-${bots}` }),
  },
  parameters: { bot_id: (_chat, caller) => newBot(caller) },
  declared: {
    'POST /bots STREAM_DOES_NOT_EXIST': ({ chat }) =>
      chat.people.hamlet.client.bots.create({
        full_name: 'x',
        short_name: 'x',
        default_sending_stream: 'nowhere',
      }),
    'POST /bots BAD_IMAGE': ({ chat }) =>
      chat.people.hamlet.client.bots.create(
        { full_name: 'Text', short_name: 'text' },
        { file: new File(['text'], 'a.png') },
      ),
    'POST /bots realm_user realm_bot user_group': ({ chat }) =>
      chat.people.hamlet.client.bots.create({ full_name: 'Echo', short_name: 'echo' }),
    'PATCH /bots/{bot_id} STREAM_DOES_NOT_EXIST': async ({ chat: { people } }) =>
      people.iago.client.bots.update({
        bot_id: await newBot(people.hamlet),
        default_sending_stream: 'nowhere',
      }),
    'PATCH /bots/{bot_id} realm_user realm_bot user_group': async ({ chat: { people } }) =>
      people.iago.client.bots.update({
        bot_id: await newBot(people.hamlet),
        full_name: 'Renamed',
        role: roles.moderator,
      }),
    'DELETE /bots/{bot_id} realm_user realm_bot user_group subscription': async ({ chat }) => {
      const { iago, hamlet } = chat.people;
      const bot_id = await newBot(hamlet);
      await iago.client.subscriptions.add({
        subscriptions: [{ name: 'crowd' }],
        principals: [bot_id],
      });
      await iago.client.bots.deactivate({ bot_id });
    },
    'POST /bots/{bot_id}/api_key/regenerate realm_bot': async ({ chat: { people } }) =>
      people.iago.client.bots.regenerateApiKey({ bot_id: await newBot(people.hamlet) }),
    'POST /bots/{bot_id}/services/token/regenerate realm_bot': async ({ chat: { people } }) =>
      people.iago.client.bots.regenerateToken({ bot_id: await newBot(people.hamlet) }),
  },
  changes: {
    'a new bot with an avatar': ({ people }) =>
      people.hamlet.client.bots.create(
        { full_name: 'Pictured', short_name: 'pictured' },
        { file: avatarImages.png },
      ),
    'a new bot': ({ people }) => newBot(people.hamlet),
    'a bot with another name, role, webhook and channel': async ({ people }) =>
      people.iago.client.bots.update({
        bot_id: await newBot(people.hamlet),
        full_name: 'Renamed',
        role: roles.moderator,
        service_payload_url: 'http://127.0.0.1:9999/other',
        default_sending_stream: 'verona',
        default_all_public_streams: true,
      }),
    'a bot with another owner': async ({ people }) =>
      people.hamlet.client.bots.update({
        bot_id: await newBot(people.hamlet),
        bot_owner_id: people.cordelia.user.id,
      }),
    'a bot given by an administrator to a member': async ({ people }) =>
      people.iago.client.bots.update({
        bot_id: await newBot(people.iago),
        bot_owner_id: people.hamlet.user.id,
      }),
    'a deactivated bot': async ({ people }) => {
      const bot_id = await newBot(people.hamlet);
      await people.iago.client.subscriptions.add({
        subscriptions: [{ name: 'verona' }, { name: 'council' }],
        principals: [bot_id],
      });
      await people.hamlet.client.bots.deactivate({ bot_id });
    },
    'a bot with a new API key and token': async ({ people }) => {
      const bot_id = await newBot(people.hamlet);
      await people.hamlet.client.bots.regenerateApiKey({ bot_id });
      await people.hamlet.client.bots.regenerateToken({ bot_id, keep_old_seconds: 60 });
    },
  },
};
