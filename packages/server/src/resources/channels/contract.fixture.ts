import type { ChannelId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';
import { addChannel } from './channels.fixture.ts';

let count = 0;
/** A name that no channel has. */
const newName = () => `channel ${++count}`;

/** Subscribes somebody to a channel, which is created if it does not exist. */
async function subscribedTo({ client }: Person, name: string): Promise<ChannelId> {
  await client.subscriptions.add({ subscriptions: [{ name }] });
  return (await client.channels.id({ stream: name })).stream_id;
}

/** A new channel in which the realm announces new users. */
async function withSignups(owner: Person): Promise<ChannelId> {
  const stream_id = await subscribedTo(owner, newName());
  await owner.client.realms.update({ signup_announcements_stream_id: stream_id });
  return stream_id;
}

export const fixture: ContractFixture = {
  samples: {
    'PATCH /streams/{stream_id}': async ({ people: { desdemona } }) => ({
      stream_id: String(await subscribedTo(desdemona, newName())),
    }),
    'DELETE /streams/{stream_id}': async ({ people: { desdemona } }) => ({
      stream_id: String(await subscribedTo(desdemona, newName())),
    }),
    'POST /channels/create': () => ({ name: newName(), subscribers: '[]' }),
    'DELETE /users/me/subscriptions': async ({ people: { desdemona } }, { user }) => {
      const name = newName();
      await desdemona.client.channels.create({ name, subscribers: [user.id] });
      return { subscriptions: JSON.stringify([name]) };
    },
    'PATCH /users/me/subscriptions': () => ({ add: '[{"name":"verona"}]' }),
    'POST /users/me/subscriptions/properties': async (_chat, caller) => {
      const stream_id = await subscribedTo(caller, 'verona');
      return {
        subscription_data: JSON.stringify([{ stream_id, property: 'pin_to_top', value: true }]),
      };
    },
    'GET /get_stream_id': () => ({ stream: 'verona' }),
    'POST /users/me/subscriptions': () => ({ subscriptions: '[{"name":"verona"}]' }),
  },
  spectators: {
    'GET /users/me/{stream_id}/topics': async (chat) => {
      const { hamlet } = chat.people;
      const forum = { name: newName(), subscribers: [hamlet], is_web_public: true };
      return { stream_id: String(await addChannel(chat, forum)) };
    },
  },
  parameters: {
    stream_id: ({ people: { desdemona } }) => subscribedTo(desdemona, 'verona'),
  },
  declared: {
    'POST /default_streams default_streams': async ({ chat: { people } }) =>
      people.iago.client.channels.addDefault({
        stream_id: await subscribedTo(people.iago, newName()),
      }),
    'DELETE /default_streams default_streams': async ({ chat: { people } }) => {
      const stream_id = await subscribedTo(people.iago, newName());
      await people.iago.client.channels.addDefault({ stream_id });
      return people.iago.client.channels.removeDefault({ stream_id });
    },
    'POST /streams/{stream_id}/delete_topic delete_message stream attachment': async ({
      chat: { people },
    }) => {
      const { client } = people.iago;
      const name = newName();
      const { id } = await client.channels.create({ name, subscribers: [people.iago.user.id] });
      const { url } = await client.uploads.create({}, { file: new File(['hello'], 'a.txt') });
      const topic_name = 'channel events';
      const content = `[a](${url})`;
      await client.messages.send({ type: 'channel', to: name, topic: topic_name, content });
      return client.channels.deleteTopic({ stream_id: id, topic_name });
    },
    'PATCH /streams/{stream_id} CHANNEL_ALREADY_EXISTS': async ({ chat: { people } }) => {
      const stream_id = await subscribedTo(people.iago, newName());
      return people.iago.client.channels.update({ stream_id, new_name: 'Verona' });
    },
    'PATCH /streams/{stream_id} EXPECTATION_MISMATCH': async ({ chat: { people } }) => {
      const stream_id = await subscribedTo(people.iago, newName());
      const nobody = { direct_members: [], direct_subgroups: [] };
      return people.iago.client.channels.update({
        stream_id,
        can_send_message_group: { new: nobody, old: nobody },
      });
    },
    'PATCH /streams/{stream_id} stream message default_streams update_message_flags': async ({
      chat: { people },
    }) => {
      const { iago, hamlet } = people;
      const name = newName();
      const { id } = await hamlet.client.channels.create({ name, subscribers: [hamlet.user.id] });
      const description = 'news';
      await iago.client.messages.send({ type: 'channel', to: name, topic: 'x', content: 'x' });
      return iago.client.channels.update({
        stream_id: id,
        is_default_stream: true,
        description,
        is_archived: true,
      });
    },
    'PATCH /streams/{stream_id} subscription': async ({ chat: { people } }) => {
      const stream_id = await subscribedTo(people.iago, newName());
      await people.iago.client.channels.archive({ stream_id });
      return people.iago.client.channels.update({ stream_id, is_archived: false });
    },
    'DELETE /streams/{stream_id} stream message default_streams update_message_flags': async ({
      chat: { people },
    }) => {
      const { iago, hamlet } = people;
      const { id } = await hamlet.client.channels.create({
        name: newName(),
        subscribers: [hamlet.user.id, iago.user.id],
      });
      await iago.client.channels.update({ stream_id: id, is_default_stream: true });
      return iago.client.channels.archive({ stream_id: id });
    },
    'PATCH /streams/{stream_id} realm_bot': async ({ chat: { people } }) => {
      const { client } = people.hamlet;
      const name = newName();
      const { id } = await client.channels.create({ name, subscribers: [] });
      const short_name = `default-of-${id}`;
      await client.bots.create({ full_name: short_name, short_name, default_sending_stream: name });
      return client.channels.update({ stream_id: id, new_name: newName() });
    },
    'PATCH /streams/{stream_id} realm': async ({ chat: { people } }) => {
      const stream_id = await withSignups(people.desdemona);
      return people.desdemona.client.channels.update({ stream_id, is_archived: true });
    },
    'DELETE /streams/{stream_id} realm': async ({ chat: { people } }) => {
      const stream_id = await withSignups(people.desdemona);
      return people.desdemona.client.channels.archive({ stream_id });
    },
    'DELETE /users/me/subscriptions subscription stream update_message_flags': async ({
      chat: { people },
    }) => {
      const { iago, hamlet, cordelia } = people;
      const name = newName();
      const subscribers = [hamlet.user.id, cordelia.user.id];
      await hamlet.client.channels.create({ name, subscribers, invite_only: true });
      return iago.client.subscriptions.remove({
        subscriptions: [name],
        principals: [cordelia.user.id],
      });
    },
    'PATCH /users/me/subscriptions stream subscription message update_message_flags': async ({
      chat: { people },
    }) => {
      const name = newName();
      const subscribers = [people.hamlet.user.id];
      await people.cordelia.client.channels.create({ name, subscribers });
      return people.hamlet.client.subscriptions.update({
        add: [{ name: newName() }],
        delete: [name],
      });
    },
    'POST /users/me/subscriptions/properties subscription': async ({ chat: { people } }) => {
      const stream_id = await subscribedTo(people.hamlet, newName());
      const change = { stream_id, property: 'is_muted', value: true };
      return people.hamlet.client.subscriptions.setProperties({ subscription_data: [change] });
    },
    'POST /channels/create stream subscription message default_streams': ({ chat: { people } }) =>
      people.iago.client.channels.create({
        name: newName(),
        subscribers: [people.hamlet.user.id],
        is_default_stream: true,
      }),
    'POST /channels/create CHANNEL_ALREADY_EXISTS': ({ chat: { people } }) =>
      people.iago.client.channels.create({ name: 'VERONA', subscribers: [] }),
    'POST /users/me/subscriptions default_streams': ({ chat: { people } }) =>
      people.iago.client.subscriptions.add({
        subscriptions: [{ name: 'arrivals' }],
        is_default_stream: true,
      }),
    'POST /users/me/subscriptions stream subscription message': ({ chat: { people } }) =>
      people.hamlet.client.subscriptions.add({
        subscriptions: [{ name: 'new' }],
        announce: true,
        principals: [people.hamlet.user.id, people.cordelia.user.id],
      }),
  },
  changes: {
    'a channel that former subscribers lose from sight and see again': async ({ people }) => {
      const { desdemona, hamlet, cordelia } = people;
      const name = newName();
      const subscribers = [desdemona, hamlet, cordelia].map(({ user }) => user.id);
      const { id } = await desdemona.client.channels.create({ name, subscribers });
      for (const { client } of [hamlet, cordelia])
        await client.subscriptions.remove({ subscriptions: [name] });
      const { update } = desdemona.client.channels;
      await update({ stream_id: id, is_private: true });
      await update({ stream_id: id, is_private: false });
    },
    'a channel that becomes a default channel, and one that is none any more': async ({
      people: { iago },
    }) => {
      const [one, other] = [
        await subscribedTo(iago, newName()),
        await subscribedTo(iago, newName()),
      ];
      await iago.client.channels.addDefault({ stream_id: one });
      await iago.client.channels.addDefault({ stream_id: other });
      await iago.client.channels.removeDefault({ stream_id: other });
    },
    'a deleted topic': async ({ people: { iago, hamlet } }) => {
      const name = newName();
      const subscribers = [iago.user.id, hamlet.user.id];
      const { id } = await hamlet.client.channels.create({ name, subscribers });
      await iago.client.messages.send({ type: 'channel', to: name, topic: 'x', content: 'x' });
      await iago.client.channels.deleteTopic({ stream_id: id, topic_name: 'channel events' });
    },
    'a channel with other settings': async ({ people: { desdemona, hamlet, cordelia } }) => {
      const { id } = await hamlet.client.channels.create({
        name: newName(),
        subscribers: [hamlet.user.id, cordelia.user.id],
      });
      const admins = {
        direct_members: [hamlet.user.id, cordelia.user.id],
        direct_subgroups: [],
      };
      await desdemona.client.channels.update({
        stream_id: id,
        new_name: newName(),
        description: 'a **new** description',
        message_retention_days: 10,
        topics_policy: 'disable_empty_topic',
        is_default_stream: true,
        can_administer_channel_group: { new: admins },
        can_send_message_group: { new: admins },
      });
    },
    'a channel made private and public again': async ({ people: { hamlet, cordelia } }) => {
      const { id } = await hamlet.client.channels.create({
        name: newName(),
        subscribers: [hamlet.user.id, cordelia.user.id],
      });
      await hamlet.client.channels.update({ stream_id: id, is_private: true });
      await hamlet.client.channels.update({ stream_id: id, is_private: false });
    },
    'a channel archived, and one unarchived': async ({ people: { iago, hamlet, polonius } }) => {
      const subscribers = [hamlet.user.id, polonius.user.id];
      for (const back of [false, true]) {
        const name = newName();
        const { id: stream_id } = await hamlet.client.channels.create({ name, subscribers });
        const policies = { muted: 1, followed: 3 } as const;
        const message = { type: 'channel', to: name, topic: 'muted', content: 'x' } as const;
        const { id } = await polonius.client.messages.send(message);
        for (const [topic, visibility_policy] of Object.entries(policies))
          await hamlet.client.userTopics.set({ stream_id, topic, visibility_policy });
        await iago.client.channels.archive({ stream_id });
        await hamlet.client.userTopics.set({ stream_id, topic: 'late', visibility_policy: 2 });
        await hamlet.client.messages.setFlag({ messages: [id], op: 'remove', flag: 'read' });
        if (back) await iago.client.channels.update({ stream_id, is_archived: false });
      }
    },
    'leaving a public channel, and a private one alone and with others': async ({ people }) => {
      const { iago, hamlet, cordelia, polonius } = people;
      const all = [hamlet, cordelia, polonius].map(({ user }) => user.id);
      const [open, hidden] = [newName(), newName()];
      await hamlet.client.channels.create({ name: open, subscribers: all });
      await hamlet.client.channels.create({ name: hidden, subscribers: all, invite_only: true });
      await cordelia.client.subscriptions.remove({ subscriptions: [open] });
      await polonius.client.subscriptions.remove({ subscriptions: [hidden] });
      await iago.client.subscriptions.remove({
        subscriptions: [open, hidden],
        principals: [hamlet.user.id, cordelia.user.id],
      });
    },
    'settings of a subscription': async ({ people: { hamlet } }) => {
      const stream_id = await subscribedTo(hamlet, newName());
      const values = {
        color: '#123456',
        is_muted: true,
        in_home_view: true,
        pin_to_top: true,
        desktop_notifications: true,
        audible_notifications: false,
        push_notifications: true,
        email_notifications: false,
        wildcard_mentions_notify: false,
      };
      await hamlet.client.subscriptions.setProperties({
        subscription_data: Object.entries(values).map(([property, value]) => ({
          stream_id,
          property,
          value,
        })),
      });
    },
    'a channel created for others, and a private one for nobody': async ({ people }) => {
      const { iago, hamlet, cordelia, polonius } = people;
      const subscribers = [cordelia.user.id, polonius.user.id];
      await hamlet.client.channels.create({ name: newName(), subscribers });
      await hamlet.client.channels.create({ name: newName(), subscribers: [], invite_only: true });
      await iago.client.channels.create({
        name: newName(),
        subscribers: [],
        is_default_stream: true,
      });
    },
    'a new default channel': ({ people }) =>
      people.iago.client.subscriptions.add({
        subscriptions: [{ name: 'lobby' }],
        is_default_stream: true,
      }),
    'a new public channel': ({ people }) =>
      people.hamlet.client.subscriptions.add({ subscriptions: [{ name: 'venice' }] }),
    'a new private channel': ({ people }) =>
      people.hamlet.client.subscriptions.add({
        subscriptions: [{ name: 'secret' }],
        invite_only: true,
      }),
    'a new channel with several subscribers': ({ people: { iago, hamlet, polonius } }) =>
      iago.client.subscriptions.add({
        subscriptions: [{ name: 'denmark', description: 'a **state**' }],
        principals: [hamlet.user.id, polonius.user.id, iago.user.id],
      }),
    'subscribing to an existing channel': ({ people }) =>
      people.cordelia.client.subscriptions.add({ subscriptions: [{ name: 'verona' }] }),
    'subscribing two users to a private channel': ({ people: { iago, hamlet, polonius } }) =>
      iago.client.subscriptions.add({
        subscriptions: [{ name: 'council' }],
        principals: [hamlet.user.id, polonius.user.id],
      }),
  },
};
