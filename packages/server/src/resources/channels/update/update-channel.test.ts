import type { Api, AskOf, ChannelId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { refusedWith } from '../../../expect-refused.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { addChannel, setChannel } from '../channels.fixture.ts';
import {
  groupIds,
  recordEvents,
  setRealmGroup,
  setRealmSettings,
  summarize,
} from '../subscribe/subscribing.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

type Params = Omit<AskOf<Api['channels']['update']>, 'stream_id'>;
type Settings = Partial<Parameters<typeof addChannel>[1]>;
let count = 0;
let name = '';
let id: ChannelId;
/** Makes the channel of a test: Hamlet, Cordelia and Polonius are subscribed. */
async function renew(settings: Settings = {}) {
  const { hamlet, cordelia, polonius } = chat.people;
  name = `channel ${++count}`;
  id = await addChannel(chat, { name, subscribers: [hamlet, cordelia, polonius], ...settings });
}
beforeEach(() => renew());
const update = ({ client }: Person, params: Params) =>
  client.channels.update({ stream_id: id, ...params });
const recordOf = async ({ client }: Person = chat.people.desdemona) =>
  (await client.channels.one({ stream_id: id })).stream;
const notices = async ({ client }: Person) => {
  const { messages } = await client.messages.fetch({
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'channel', operand: id }],
  });
  return messages.map(({ content }) => content);
};

describe('permission to change a channel', () => {
  test('belongs to administrators and can_administer_channel_group, of the channels they see', async () => {
    const { desdemona, iago, shiva, hamlet, polonius } = chat.people;
    const denied = refusedWith('You do not have permission to administer this channel.');
    for (const privacy of [{}, { invite_only: true }]) {
      await renew(privacy);
      for (const caller of [hamlet, polonius])
        await expect(update(caller, { description: 'x' })).rejects.toMatchObject(denied);
      await expect(update(shiva, { description: 'x' })).rejects.toMatchObject(
        'invite_only' in privacy ? refusedWith('Invalid channel ID') : denied,
      );
      for (const [at, caller] of [desdemona, iago].entries())
        await update(caller, { description: `${at}` });
      await setChannel(chat, name, { can_administer_channel_group: 'role:members' });
      await update(hamlet, { description: 'by Hamlet' });
      await update(shiva, { description: 'by Shiva' });
      await expect(update(polonius, { description: 'x' })).rejects.toMatchObject(denied);
    }
  });

  test('retention requires an owner; topics policy, default and deletion require the group of the realm', async () => {
    const { desdemona, iago, hamlet } = chat.people;
    const groups = await groupIds(chat);
    await setChannel(chat, name, { can_administer_channel_group: 'role:members' });
    const insufficient = refusedWith('Insufficient permission');
    await expect(update(iago, { message_retention_days: 3 })).rejects.toMatchObject(
      refusedWith('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL'),
    );
    await update(desdemona, { message_retention_days: 3 });
    await expect(update(hamlet, { is_default_stream: true })).rejects.toMatchObject(insufficient);
    const everyone = { new: groups['role:everyone'] };
    await expect(update(hamlet, { can_delete_own_message_group: everyone })).rejects.toMatchObject(
      insufficient,
    );
    await setRealmGroup(chat, 'can_set_topics_policy_group', 'role:administrators');
    await expect(update(hamlet, { topics_policy: 'disable_empty_topic' })).rejects.toMatchObject(
      insufficient,
    );
    await update(iago, { topics_policy: 'disable_empty_topic' });
    await setRealmGroup(chat, 'can_set_topics_policy_group', 'role:members');
    expect(await recordOf()).toMatchObject({
      message_retention_days: 3,
      topics_policy: 'disable_empty_topic',
    });
  });

  test('an administrator who may not read a private channel changes neither privacy nor readers', async () => {
    const { iago, hamlet } = chat.people;
    await renew({ invite_only: true });
    const groups = await groupIds(chat);
    const denied = refusedWith('Channel content access is required.');
    const members = { new: groups['role:members'] };
    await expect(update(iago, { is_private: false })).rejects.toMatchObject(denied);
    await expect(update(iago, { can_subscribe_group: members })).rejects.toMatchObject(denied);
    await expect(update(iago, { can_add_subscribers_group: members })).rejects.toMatchObject(
      denied,
    );
    await update(iago, { can_remove_subscribers_group: members, new_name: `${name} new` });
    await setChannel(chat, `${name} new`, { can_administer_channel_group: 'role:members' });
    await update(hamlet, { can_subscribe_group: members });
    expect(await recordOf()).toMatchObject({ can_subscribe_group: groups['role:members'] });
  });
});

describe('PATCH /streams/{stream_id}', () => {
  test('renames a channel, and refuses the same, a taken and a bad name', async () => {
    const { iago, hamlet } = chat.people;
    const queue = await listen(hamlet, { event_types: ['stream'] });
    await update(iago, { new_name: ' Illyria ' });
    expect(await queue.events('stream')).toMatchObject([
      { op: 'update', stream_id: id, name, property: 'name', value: 'Illyria' },
      { op: 'update', property: 'first_message_id' },
    ]);
    await expect(update(iago, { new_name: 'Illyria' })).rejects.toMatchObject(
      refusedWith('Channel already has that name.'),
    );
    await update(iago, { new_name: 'ILLYRIA' });
    await renew();
    await expect(update(iago, { new_name: 'illyria' })).rejects.toMatchObject({
      code: 'CHANNEL_ALREADY_EXISTS',
      data: { channel_name: 'illyria' },
    });
    await expect(update(iago, { new_name: ' ' })).rejects.toMatchObject(
      refusedWith("Channel name can't be empty."),
    );
  });

  test('sends one notice for each change that readers care about', async () => {
    const { desdemona, hamlet } = chat.people;
    const by = `@_**Desdemona|${desdemona.user.id}**`;
    await update(desdemona, { new_name: `${name}!`, description: 'new\nwords' });
    await update(desdemona, { is_private: true, message_retention_days: 1 });
    expect(await notices(hamlet)).toEqual([
      `${by} renamed channel \`${name}\` to \`${name}!\`.`,
      `${by} changed the description for this channel.\n\n* **Old description:**\n\`\`\`\` quote\n*No description.*\n\`\`\`\`\n* **New description:**\n\`\`\`\` quote\nnew words\n\`\`\`\``,
      `${by} changed the access permissions for this channel from **Public** to **Private, protected history**.`,
      `${by} has changed the message retention period for this channel:\n* **Old retention period**: organization default\n* **New retention period**: 1 day`,
    ]);
  });

  test('changes permissions by {new, old}, and refuses a stale old value', async () => {
    const { iago, hamlet } = chat.people;
    const groups = await groupIds(chat);
    const [nobody, everyone] = [groups['role:nobody'], groups['role:everyone']];
    const queue = await listen(hamlet, { event_types: ['stream'] });
    await expect(
      update(iago, { can_send_message_group: { new: nobody, old: nobody } }),
    ).rejects.toMatchObject({ code: 'EXPECTATION_MISMATCH' });
    const some = { direct_members: [hamlet.user.id], direct_subgroups: [nobody] };
    await update(iago, { can_send_message_group: { new: some, old: everyone } });
    await update(iago, {
      can_send_message_group: { new: groups['role:administrators'], old: some },
    });
    const events = await queue.events('stream');
    expect(
      events
        .filter(({ property }) => property !== 'first_message_id')
        .map(({ property, value }) => [property, value]),
    ).toEqual([
      ['can_send_message_group', some],
      ['stream_post_policy', 2],
      ['is_announcement_only', true],
      ['can_send_message_group', groups['role:administrators']],
    ]);
    await expect(
      update(iago, { can_subscribe_group: { new: 999_999 as never } }),
    ).rejects.toMatchObject(refusedWith('Invalid user group'));
  });

  test('empty_topic_only requires that no message has a named topic', async () => {
    const { iago, hamlet } = chat.people;
    const send = (topic: string) =>
      hamlet.client.messages.send({ type: 'channel', to: name, topic, content: 'x' });
    await send('');
    await update(iago, { topics_policy: 'empty_topic_only' });
    await expect(send('named')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await update(iago, { topics_policy: 'inherit' });
    await send('named');
    await expect(update(iago, { topics_policy: 'empty_topic_only' })).rejects.toMatchObject({
      message: expect.stringMatching(/^To enable this configuration, all messages/),
    });
  });

  test('makes a channel a default channel only while it is public', async () => {
    const { iago, hamlet } = chat.people;
    const queue = await listen(hamlet, { event_types: ['default_streams'] });
    await update(iago, { is_default_stream: true });
    const denied = refusedWith('A default channel cannot be private.');
    await expect(update(iago, { is_private: true })).rejects.toMatchObject(denied);
    await update(iago, { is_default_stream: false });
    await update(iago, { is_private: true });
    await renew({ invite_only: true });
    await expect(update(iago, { is_default_stream: true })).rejects.toMatchObject(denied);
    const lists = (await queue.events('default_streams')).map(
      ({ default_streams }) => default_streams as number[],
    );
    expect(lists).toHaveLength(2);
    expect(lists[0]?.length).toBe((lists[1]?.length ?? 0) + 1);
  });
});

describe('the privacy of a channel', () => {
  test('made private, hides it from those who are not subscribed', async () => {
    const { hamlet } = chat.people;
    await setChannel(chat, name, { can_administer_channel_group: 'role:members' });
    const received = await recordEvents(chat, () => update(hamlet, { is_private: true }));
    const summary = summarize(received);
    expect(summary).toMatchObject({
      iago: ['stream update', 'stream update'],
      cordelia: ['stream update', 'stream update'],
      polonius: ['stream update', 'stream update'],
    });
    expect(received.cordelia[0]).toMatchObject({
      property: 'invite_only',
      value: true,
      history_public_to_subscribers: false,
      is_web_public: false,
    });
    // Shiva is a moderator, whom can_administer_channel_group includes.
    expect(summary.shiva).toEqual(['stream update', 'stream update']);
    const hidden = await recordEvents(chat, () =>
      update(hamlet, {
        can_administer_channel_group: {
          new: { direct_members: [hamlet.user.id], direct_subgroups: [] },
        },
      }),
    );
    expect(summarize(hidden)).toMatchObject({
      shiva: ['stream delete'],
      hamlet: ['stream update'],
    });
  });

  test('made public, shows it with its subscribers to everybody but guests', async () => {
    const { hamlet, shiva, cordelia, polonius } = chat.people;
    await renew({ invite_only: true });
    await setChannel(chat, name, { can_administer_channel_group: 'role:administrators' });
    const { iago } = chat.people;
    await iago.client.subscriptions.add({
      subscriptions: [{ name }],
      authorization_errors_fatal: false,
    });
    await hamlet.client.subscriptions.add({
      subscriptions: [{ name }],
      principals: [iago.user.id],
    });
    const received = await recordEvents(chat, () => update(iago, { is_private: false }));
    expect(summarize(received).shiva).toEqual([
      `stream create ${name}`,
      'subscription peer_add',
      'stream update',
    ]);
    expect(received.shiva[1]).toMatchObject({
      user_ids: [iago, hamlet, cordelia, polonius]
        .map(({ user }) => user.id)
        .toSorted((a, b) => a - b),
    });
    expect((await shiva.client.channels.one({ stream_id: id })).stream).toMatchObject({
      invite_only: false,
      history_public_to_subscribers: true,
    });
  });

  test('web-public requires spectator access and the group of the realm, and is_private ends it', async () => {
    const { desdemona, iago } = chat.people;
    const web = { is_web_public: true };
    await expect(update(desdemona, web)).rejects.toMatchObject(
      refusedWith('Web-public channels are not enabled.'),
    );
    await setRealmSettings(chat, { enable_spectator_access: true });
    await expect(update(iago, web)).rejects.toMatchObject(refusedWith('Insufficient permission'));
    await expect(update(desdemona, { ...web, is_private: true })).rejects.toMatchObject(
      refusedWith('A web-public channel cannot be private.'),
    );
    await update(desdemona, web);
    expect(await recordOf()).toMatchObject({ is_web_public: true, invite_only: false });
    await update(desdemona, { is_private: true, history_public_to_subscribers: true });
    expect(await recordOf(chat.people.hamlet)).toMatchObject({
      is_web_public: false,
      invite_only: true,
      history_public_to_subscribers: true,
    });
  });

  test('to which messages are reported stays private', async () => {
    const { desdemona } = chat.people;
    await setRealmSettings(chat, { enable_spectator_access: true });
    await desdemona.client.subscriptions.add({
      subscriptions: [{ name: `${name} reports` }],
      invite_only: true,
    });
    const { stream_id } = await desdemona.client.channels.id({ stream: `${name} reports` });
    await desdemona.client.realms.update({ moderation_request_channel_id: stream_id });
    for (const open of [{ is_private: false }, { is_web_public: true }])
      await expect(desdemona.client.channels.update({ stream_id, ...open })).rejects.toMatchObject(
        refusedWith('Moderation request channel must be private.'),
      );
    await desdemona.client.realms.update({ moderation_request_channel_id: -1 });
    await desdemona.client.channels.update({ stream_id, is_private: false });
  });
});
