import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { receivedBy } from '../../model/messages/move/queries.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const adminOnly = {
  code: 'UNAUTHORIZED_PRINCIPAL',
  message: 'Must be an organization administrator',
};

describe('POST /users/{user_id}/reactivate', () => {
  test('the user has the subscriptions again, and logs in anew; their bots stay deactivated', async () => {
    const { iago, hamlet } = chat.people;
    const password = 'a long password';
    const person = await chat.addPerson('jan', undefined, { password });
    await person.client.subscriptions.add({ subscriptions: [{ name: 'jan only' }] });
    const bot = await person.client.bots.create({ full_name: 'Janbot', short_name: 'jan' });
    const user_id = person.user.id;
    await iago.client.users.deactivate({ user_id });
    expect((await chat.ask(person, 'GET /users/me')).body).toMatchObject({
      code: 'USER_DEACTIVATED',
    });
    await expect(hamlet.client.users.reactivate({ user_id })).rejects.toMatchObject(adminOnly);
    await iago.client.users.reactivate({ user_id });
    expect((await chat.ask(person, 'GET /users/me')).body).toMatchObject({ code: 'UNAUTHORIZED' });
    const { api_key } = await person.client.accounts.fetchApiKey({
      username: person.email,
      password,
    });
    const { body } = await chat.ask({ ...person, api_key }, 'GET /users/me/subscriptions');
    expect(body['subscriptions']).toMatchObject([{ name: 'jan only' }]);
    expect((await iago.client.users.get({ user_id: bot.user_id })).user.is_active).toBe(false);
  });

  test('a bot whose owner is gone gets the administrator as its owner, and a new API key', async () => {
    const { iago } = chat.people;
    const person = await chat.addPerson('karl');
    const bot = await person.client.bots.create({ full_name: 'Karlbot', short_name: 'karl' });
    await iago.client.users.deactivate({ user_id: person.user.id });
    await iago.client.users.reactivate({ user_id: bot.user_id });
    const { user } = await iago.client.users.get({ user_id: bot.user_id });
    expect(user).toMatchObject({ is_active: true, bot_owner_id: iago.user.id });
    const old = { ...person, email: 'karl-bot@chat.test', api_key: bot.api_key };
    expect((await chat.ask(old, 'GET /users/me')).body).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('a person, and a bot, who was gone has not received what was sent to their channels meanwhile', async () => {
    const { iago, hamlet } = chat.people;
    const person = await chat.addPerson('lena');
    const bot = await hamlet.client.bots.create({ full_name: 'Lenabot', short_name: 'lena' });
    await addChannel(chat, { name: 'gate', subscribers: [hamlet, person] });
    await hamlet.client.subscriptions.add({
      subscriptions: [{ name: 'gate' }],
      principals: [bot.user_id],
    });
    const message = { type: 'channel', to: 'gate', topic: 'x', content: 'x' } as const;
    const send = async () => (await hamlet.client.messages.send(message)).id;
    const before = await send();
    await iago.client.users.deactivate({ user_id: person.user.id });
    await hamlet.client.bots.deactivate({ bot_id: bot.user_id });
    const meanwhile = await send();
    for (const user_id of [person.user.id, bot.user_id])
      await iago.client.users.reactivate({ user_id });
    const after = await send();
    const received = await receivedBy(chat.server.app.db.kysely, chat.realm.id, [
      before,
      meanwhile,
      after,
    ]);
    expect(received.toSorted((a, b) => a.user_id - b.user_id)).toEqual([
      { user_id: hamlet.user.id, ids: [before, meanwhile, after] },
      { user_id: person.user.id, ids: [before, after] },
      { user_id: bot.user_id, ids: [before, after] },
    ]);
  });
});
