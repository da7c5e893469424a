import { randomUUID } from 'node:crypto';

import { type ChannelId, type MessageId, roles } from '@bellhop/protocol';

import type { Sample } from '../../contract.fixture.ts';
import { newChannel, newGroup, type PermissionCases } from '../../permission-case.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';

type Case = PermissionCases[string];

/** A message in a new channel of Desdemona, whose only other subscribers are the caller and the sender. */
async function messageOf(
  sender: Person,
  chat: TestChat,
  caller: Person,
): Promise<{ message_id: string; channel_id: ChannelId; id: MessageId }> {
  const channel = await newChannel(chat, caller, { subscribers: [caller, sender] });
  const to = channel.name;
  const message = { type: 'channel', to, topic: 'news', content: 'x' } as const;
  const { id } = await sender.client.messages.send(message);
  return { id, message_id: String(id), channel_id: channel.id };
}

const editing =
  (params: Sample): Case =>
  async (chat, caller) => {
    const { message_id, channel_id } = await messageOf(chat.people.cordelia, chat, caller);
    return { channel_id, sample: { message_id, ...params } };
  };

const crowds = new WeakMap<TestChat, Promise<readonly Person[]>>();
/** 16 members, the same ones in each case. */
function crowdOf(chat: TestChat): Promise<readonly Person[]> {
  const known = crowds.get(chat);
  if (known) return known;
  const people = Promise.all(Array.from({ length: 16 }, () => chat.addPerson(newName('crowd'))));
  crowds.set(chat, people);
  return people;
}

/** A name that no other case has, also if a test run loads this file twice. */
const newName = (word: string) => `${word}-${randomUUID()}`;

/**
 * The cases of sending a message, now or later. `scheduled` has the parameters of a scheduled message,
 * which names its channel by ID.
 */
export const sendingCases = (route: string, scheduled: Sample = {}): PermissionCases => {
  const inChannel = ({ id, name }: { id: ChannelId; name: string }, content: string) => ({
    ...scheduled,
    type: 'channel',
    to: 'scheduled_delivery_timestamp' in scheduled ? String(id) : name,
    topic: 'news',
    content,
  });
  const direct = ({ user }: Person) => ({
    ...scheduled,
    type: 'direct',
    to: JSON.stringify([user.id]),
    content: 'x',
  });
  return {
    [`${route}: post in the channel`]: async (chat, caller) => {
      const channel = await newChannel(chat, caller);
      return { channel_id: channel.id, sample: inChannel(channel, 'x') };
    },
    [`${route}: send direct messages`]: async (chat, caller) => {
      const { cordelia } = chat.people;
      const to = [caller.user.id];
      // The caller continues a conversation: beginning one is another permission.
      await cordelia.client.messages.send({ type: 'direct', to, content: 'x' });
      return { sample: direct(cordelia) };
    },
    [`${route}: begin a direct conversation`]: async (chat) => ({
      sample: direct(await chat.addPerson(newName('stranger'), roles.member)),
    }),
    [`${route}: mention everybody in a large channel`]: async (chat, caller) => {
      const subscribers = [caller, ...(await crowdOf(chat))];
      const channel = await newChannel(chat, caller, { subscribers });
      return { sample: inChannel(channel, '@**all**') };
    },
    [`${route}: mention a user group`]: async (chat, caller) => {
      const group_id = await newGroup(chat, [chat.people.cordelia]);
      const channel = await newChannel(chat, caller);
      const { user_groups } = await caller.client.userGroups.list({});
      const name = user_groups.find(({ id }) => id === group_id)?.name ?? '';
      return { group_id, sample: inChannel(channel, `@*${name}*`) };
    },
  };
};

export const permissions: PermissionCases = {
  ...sendingCases('POST /messages'),
  'PATCH /messages/{message_id}: change the topic': editing({ topic: 'elsewhere' }),
  'PATCH /messages/{message_id}: resolve topics': editing({ topic: '\u2714 news' }),
  'PATCH /messages/{message_id}: move messages to another channel': async (chat, caller) => {
    const { message_id, channel_id } = await messageOf(chat.people.cordelia, chat, caller);
    const { id } = await newChannel(chat, caller);
    return { channel_id, sample: { message_id, stream_id: String(id) } };
  },
  'DELETE /messages/{message_id}: delete your own message': async (chat, caller) => {
    const { message_id, channel_id } = await messageOf(caller, chat, caller);
    return { channel_id, sample: { message_id } };
  },
  'DELETE /messages/{message_id}: delete a message of another user': editing({}),
};
