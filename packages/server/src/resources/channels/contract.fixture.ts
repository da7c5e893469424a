import type { ContractFixture } from '../../contract.fixture.ts';

let count = 0;
/** A name that no channel has. */
const newName = () => `channel ${++count}`;

export const fixture: ContractFixture = {
  samples: {
    'POST /channels/create': () => ({ name: newName(), subscribers: '[]' }),
    'GET /get_stream_id': () => ({ stream: 'verona' }),
    'POST /users/me/subscriptions': () => ({ subscriptions: '[{"name":"verona"}]' }),
  },
  parameters: {
    stream_id: async ({ people: { desdemona } }) => {
      await desdemona.client.subscriptions.add({ subscriptions: [{ name: 'verona' }] });
      return (await desdemona.client.channels.id({ stream: 'verona' })).stream_id;
    },
  },
  declared: {
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
