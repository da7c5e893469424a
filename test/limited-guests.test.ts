import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { allCapabilities, expectEventsMatchState } from './support/expect-events-match-state.ts';

let chat: TestChat;
let guest: Person;
beforeAll(async () => {
  chat = await startTestChat();
  guest = chat.people.polonius;
  const { desdemona } = chat.people;
  const { realm_user_groups } = await desdemona.client.queues.register({});
  const members = realm_user_groups?.find(({ name }) => name === 'role:members');
  if (!members) throw new Error('no group of members');
  await desdemona.client.realms.update({ can_access_all_users_group: { new: members.id } });
});
afterAll(() => chat[Symbol.asyncDispose]());

const legacy = { ...allCapabilities, user_list_incomplete: false };
const expectStateOfGuest = (act: () => Promise<unknown>) =>
  expectEventsMatchState(chat, [guest, chat.people.hamlet], act, [
    ...[true, false].map((slim_presence) => ({
      title: `slim_presence ${slim_presence} without simplified_presence_events`,
      reader: guest,
      registration: {
        slim_presence,
        client_capabilities: { ...allCapabilities, simplified_presence_events: false },
      },
    })),
    {
      title: 'every capability but user_list_incomplete',
      reader: guest,
      registration: { client_capabilities: legacy },
    },
  ]);

test('after a guest joins a channel, their events match the state of a new queue', async () => {
  const { iago, cordelia } = chat.people;
  await iago.client.subscriptions.add({
    subscriptions: [{ name: 'square' }],
    principals: [iago.user.id, cordelia.user.id],
  });
  await iago.client.userGroups.create({
    name: 'painters',
    description: '',
    members: [cordelia.user.id],
  });
  await cordelia.client.presence.update({ status: 'active' });
  await cordelia.client.userStatus.set({ status_text: 'painting', emoji_name: 'art' });
  const subscriptions = [{ name: 'square' }];
  const principals = [guest.user.id];
  await expectStateOfGuest(() => iago.client.subscriptions.add({ subscriptions, principals }));
});

test('after a guest leaves a channel with a member whom they no longer see, their queues have ended, and the state of a new queue has no more of the member', async () => {
  const { iago, cordelia } = chat.people;
  const registration = { client_capabilities: allCapabilities };
  const { queue_id, last_event_id, ...before } = await guest.client.queues.register(registration);
  expect(JSON.stringify(before)).toContain('Cordelia');
  await iago.client.subscriptions.remove({
    subscriptions: ['square'],
    principals: [guest.user.id],
  });
  await expect(
    guest.client.queues.events({ queue_id: queue_id ?? '', last_event_id, dont_block: true }),
  ).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  const after = JSON.stringify(await guest.client.queues.register(registration));
  for (const text of ['Cordelia', cordelia.email, 'painting']) expect(after).not.toContain(text);
});

test('after a stranger writes to a guest, the events of the guest match the state of a new queue', async () => {
  const stranger = await chat.addPerson('yorick');
  // The older format has one time of the two, which differ if an idle user has joined a second ago.
  await stranger.client.presence.update({ status: 'active' });
  await expectStateOfGuest(() =>
    stranger.client.messages.send({ type: 'direct', to: [guest.user.id], content: 'hello' }),
  );
});

test('after a change of a user whom a guest may not see, the events of the guest match the state of a new queue', async () => {
  const { desdemona } = chat.people;
  const stranger = await chat.addPerson('horatio');
  const user_id = stranger.user.id;
  await expectStateOfGuest(() =>
    desdemona.client.users.update({ user_id, full_name: 'Horatio II', role: 300 }),
  );
  await expectStateOfGuest(() => desdemona.client.users.deactivate({ user_id }));
  await expectStateOfGuest(() => desdemona.client.users.reactivate({ user_id }));
  const account = { email: 'osric@chat.test', full_name: 'Osric', password: 'a-long-password-1' };
  await expectStateOfGuest(() => desdemona.client.users.create(account));
});
