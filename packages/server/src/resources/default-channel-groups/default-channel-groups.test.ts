import { type Api, type AskOf, roles } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());

const groups = () => chat.people.iago.client.defaultChannelGroups;
const stateOf = async ({ client }: Person) =>
  (await client.queues.register({ fetch_event_types: ['default_stream_groups'] }))
    .realm_default_stream_groups;

let count = 0;
/** The name of the group of a test, and the names of its two channels. */
let name = '';
let channels: [string, string] = ['', ''];
beforeEach(async () => {
  count += 1;
  name = `group ${count}`;
  channels = [`first ${count}`, `second ${count}`];
  const subscriptions = channels.map((channel) => ({ name: channel }));
  await chat.people.iago.client.subscriptions.add({ subscriptions });
});
const idOf = async (stream: string) =>
  (await chat.people.iago.client.channels.id({ stream })).stream_id;
const create = (fields: Partial<AskOf<Api['defaultChannelGroups']['create']>> = {}) =>
  groups().create({ group_name: name, description: 'x', stream_names: channels, ...fields });
/** The group of the test in the state; its ID is 0 if there is none. */
const group = async () =>
  (await stateOf(chat.people.hamlet))?.find((one) => one.name === name) ?? { id: 0 as never };

describe('a default channel group', () => {
  test('is in the state and the events of everybody but guests', async () => {
    const { hamlet, polonius } = chat.people;
    const [member, guest] = [await listen(hamlet), await listen(polonius)];
    await create();
    const { id } = await group();
    const streams = await Promise.all(channels.map(idOf));
    const shown = { id, name, description: 'x', streams };
    expect(await stateOf(hamlet)).toContainEqual(shown);
    expect(await member.events('default_stream_groups')).toMatchObject([
      { default_stream_groups: expect.arrayContaining([shown]) },
    ]);
    expect(await stateOf(polonius)).toEqual([]);
    expect(await guest.events('default_stream_groups')).toEqual([]);
  });

  test('changes its name, its description and its channels, and is removed', async () => {
    await create();
    const { id: group_id } = await group();
    name = `renamed ${count}`;
    await groups().update({ group_id, new_group_name: name, new_description: 'y' });
    const [first] = channels;
    await groups().updateChannels({ group_id, op: 'remove', stream_names: [first] });
    expect(await group()).toMatchObject({ description: 'y', streams: [await idOf(channels[1])] });
    await groups().updateChannels({ group_id, op: 'add', stream_names: [first.toUpperCase()] });
    expect(await group()).toMatchObject({ streams: await Promise.all(channels.map(idOf)) });
    await groups().remove({ group_id });
    expect(await group()).toEqual({ id: 0 });
  });

  test('leaves out a channel while it is archived, and one that became private', async () => {
    await create();
    const [first, second] = await Promise.all([idOf(channels[0]), idOf(channels[1])]);
    const queue = await listen(chat.people.hamlet);
    const { channels: calls } = chat.people.iago.client;
    await calls.archive({ stream_id: first });
    expect(await group()).toMatchObject({ streams: [second] });
    expect(await queue.events('default_stream_groups')).toHaveLength(1);
    await calls.update({ stream_id: first, is_archived: false });
    expect(await group()).toMatchObject({ streams: [first, second] });
    await calls.update({ stream_id: second, is_private: true });
    expect(await group()).toMatchObject({ streams: [first] });
    expect(await queue.events('default_stream_groups')).toHaveLength(2);
  });

  test('is changed only by administrators', async () => {
    const fields = { group_name: name, description: '', stream_names: '[]' };
    const { body } = await chat.ask(
      chat.people.shiva,
      'POST /default_stream_groups/create',
      fields,
    );
    expect(body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
  });
});

describe('a default channel group is refused', () => {
  test.each([
    [{ group_name: ' ' }, "Invalid default channel group name ''"],
    [{ group_name: 'x'.repeat(61) }, 'Default channel group name too long (limit: 60 characters)'],
    [{ description: 'x'.repeat(1025) }, 'Default channel group description too long'],
    [{ stream_names: ['nowhere'] }, "Invalid channel name 'nowhere'"],
  ])('with %j', async (fields, message) => {
    await expect(create(fields)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(message),
    });
  });

  test('if its name is taken', async () => {
    await create();
    const message = `Default channel group '${name}' already exists`;
    await expect(create()).rejects.toMatchObject({ message });
    const taken = name;
    name = `other ${count}`;
    await create();
    const { id: group_id } = await group();
    await expect(groups().update({ group_id, new_group_name: taken })).rejects.toMatchObject({
      message,
    });
  });

  test('with a private channel or a default channel', async () => {
    const { client } = chat.people.iago;
    const [stream_id, other] = [await idOf(channels[0]), await idOf(channels[1])];
    await client.channels.addDefault({ stream_id });
    await expect(create()).rejects.toMatchObject({
      message: `'${channels[0]}' is a default channel and cannot be added to '${name}'`,
    });
    await client.channels.update({ stream_id: other, is_private: true });
    await expect(create({ stream_names: [channels[1]] })).rejects.toMatchObject({
      message: 'A default channel cannot be private.',
    });
    await client.channels.removeDefault({ stream_id });
  });

  test('if a channel is added twice, or removed without being in the group', async () => {
    await create({ stream_names: [channels[0]] });
    const { id: group_id } = await group();
    for (const [op, channel, word] of [
      ['add', channels[0], 'already'],
      ['remove', channels[1], 'not'],
    ] as const)
      await expect(
        groups().updateChannels({ group_id, op, stream_names: [channel] }),
      ).rejects.toMatchObject({
        message: `Channel '${channel}' is ${word} present in default channel group '${name}'`,
      });
  });

  test('if the change is empty, or if the group is unknown', async () => {
    await create();
    const { id: group_id } = await group();
    await expect(groups().update({ group_id })).rejects.toMatchObject({
      message: 'You must pass "new_description" or "new_group_name".',
    });
    await expect(groups().remove({ group_id: 999_999 as never })).rejects.toMatchObject({
      message: "Default channel group with id '999999' does not exist.",
    });
  });
});

describe('a new user', () => {
  const keyFor = (email: string) =>
    vi.waitFor(() => {
      const mail = chat.mails.findLast(({ to }) => to === email);
      const key = /\/join\/(\w+)/.exec(mail?.text ?? '')?.[1];
      if (key === undefined) throw new Error(`No link for ${email}`);
      return key;
    }, 15_000);
  const invited = async (invite_as: AskOf<Api['invites']['send']>['invite_as']) => {
    const email = `fortinbras${count}@example.com`;
    const { invites } = chat.people.iago.client;
    await invites.send({ invitee_emails: email, stream_ids: [], invite_as });
    return keyFor(email);
  };
  const person = () => ({ full_name: `Fortinbras ${count}`, password: 'a long password' });
  const isSubscribed = async (user_id: number, channel: string) => {
    const { subscribers } = await chat.people.iago.client.channels.subscribers({
      stream_id: await idOf(channel),
    });
    return subscribers.some((id) => id === user_id);
  };

  test('is subscribed to the channels of the groups that they choose', async () => {
    await create();
    const key = await invited(roles.member);
    const { user_id } = await chat.people.iago.client.invites.accept({
      key,
      ...person(),
      default_stream_groups: [name],
    });
    expect(await isSubscribed(user_id, channels[0])).toBe(true);
    expect(await isSubscribed(user_id, channels[1])).toBe(true);
  });

  test('chooses default channel groups on the page of the invitation', async () => {
    await create({ description: 'for <all>' });
    const { id } = await group();
    const address = `${chat.url}/join/${await invited(roles.member)}`;
    const html = await (await fetch(address)).text();
    expect(html).toContain(`<input name="group_${id}" type="checkbox"> Channels of ${name}`);
    expect(html).toContain('for &#60;all&#62;');
    const body = new URLSearchParams({ ...person(), [`group_${id}`]: 'on' });
    expect((await fetch(address, { method: 'POST', body })).status).toBe(200);
    const { members } = await chat.people.iago.client.users.list({});
    const joined = members.find(({ full_name }) => full_name === person().full_name);
    expect(await isSubscribed(joined?.user_id ?? 0, channels[0])).toBe(true);
  });

  test('gets BAD_REQUEST for an unknown group, and a guest for any', async () => {
    await create();
    const { accept } = chat.people.iago.client.invites;
    await expect(
      accept({ key: await invited(roles.member), ...person(), default_stream_groups: ['none'] }),
    ).rejects.toMatchObject({ message: 'Invalid default channel group none' });
    count += 1;
    await expect(
      accept({ key: await invited(roles.guest), ...person(), default_stream_groups: [name] }),
    ).rejects.toMatchObject({ message: 'Not allowed for guest users' });
  });
});
