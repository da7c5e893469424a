import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel, groupOf } from './channels.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia, shiva } = chat.people;
  const subscribers = [hamlet];
  const invite_only = true;
  await addChannel(chat, { name: 'web', subscribers, is_web_public: true });
  await addChannel(chat, { name: 'public', subscribers });
  await addChannel(chat, { name: 'private', subscribers, invite_only });
  const can_subscribe_group = await groupOf(chat, cordelia);
  await addChannel(chat, { name: 'joinable', subscribers, invite_only, can_subscribe_group });
  const can_administer_channel_group = await groupOf(chat, shiva);
  const led = { name: 'led', subscribers, invite_only, can_administer_channel_group };
  await addChannel(chat, led);
});
afterAll(() => chat[Symbol.asyncDispose]());

/** The channels whose `#**name**` becomes a link in a message of this person. */
async function linkedBy({ client, user }: Person): Promise<string[]> {
  const names = ['web', 'public', 'private', 'joinable', 'led'];
  const content = names.map((name) => `#**${name}**`).join(' ');
  const { id } = await client.messages.send({ type: 'direct', to: [user.id], content });
  const { message } = await client.messages.fetchOne({ message_id: id });
  return names.filter((name) => message.content.includes(`>#${name}</a>`));
}

describe('a message links the channels that its sender may see', () => {
  test('a guest links web-public channels', async () => {
    expect(await linkedBy(chat.people.polonius)).toEqual(['web']);
  });

  test('a member of can_subscribe_group links a private channel', async () => {
    expect(await linkedBy(chat.people.cordelia)).toEqual(['web', 'public', 'joinable']);
  });

  test('an administrator of the channel links a private channel', async () => {
    expect(await linkedBy(chat.people.shiva)).toEqual(['web', 'public', 'led']);
  });

  test('a subscriber and an administrator of the realm link every channel', async () => {
    const all = ['web', 'public', 'private', 'joinable', 'led'];
    expect(await linkedBy(chat.people.hamlet)).toEqual(all);
    expect(await linkedBy(chat.people.iago)).toEqual(all);
  });
});
