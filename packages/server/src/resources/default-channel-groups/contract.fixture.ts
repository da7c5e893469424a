import type { DefaultChannelGroupId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

let count = 0;

/** A new public channel of the owner. */
async function newChannel({ people: { desdemona } }: TestChat): Promise<string> {
  const name = `for newcomers ${++count}`;
  await desdemona.client.subscriptions.add({ subscriptions: [{ name }] });
  return name;
}

/** A new default channel group with a new channel. */
async function created(chat: TestChat): Promise<{ id: DefaultChannelGroupId; channel: string }> {
  const { client } = chat.people.desdemona;
  const channel = await newChannel(chat);
  const group_name = `newcomers ${++count}`;
  await client.defaultChannelGroups.create({
    group_name,
    description: '',
    stream_names: [channel],
  });
  const state = await client.queues.register({ fetch_event_types: ['default_stream_groups'] });
  const group = state.realm_default_stream_groups?.find(({ name }) => name === group_name);
  if (!group) throw new Error('The default channel group is not in the state');
  return { id: group.id, channel };
}

export const fixture: ContractFixture = {
  samples: {
    'POST /default_stream_groups/create': async (chat) => ({
      group_name: `newcomers ${++count}`,
      description: '',
      stream_names: JSON.stringify([await newChannel(chat)]),
    }),
    'PATCH /default_stream_groups/{group_id}': async (chat) => ({
      group_id: String((await created(chat)).id),
      new_description: 'For all',
    }),
    'DELETE /default_stream_groups/{group_id}': async (chat) => ({
      group_id: String((await created(chat)).id),
    }),
    'PATCH /default_stream_groups/{group_id}/streams': async (chat) => ({
      group_id: String((await created(chat)).id),
      op: 'add',
      stream_names: JSON.stringify([await newChannel(chat)]),
    }),
  },
  declared: {
    'POST /default_stream_groups/create default_stream_groups': ({ chat }) => created(chat),
    'PATCH /default_stream_groups/{group_id} default_stream_groups': async ({ chat }) =>
      chat.people.iago.client.defaultChannelGroups.update({
        group_id: (await created(chat)).id,
        new_description: 'For all',
      }),
    'DELETE /default_stream_groups/{group_id} default_stream_groups': async ({ chat }) =>
      chat.people.iago.client.defaultChannelGroups.remove({ group_id: (await created(chat)).id }),
    'PATCH /default_stream_groups/{group_id}/streams default_stream_groups': async ({ chat }) =>
      chat.people.iago.client.defaultChannelGroups.updateChannels({
        group_id: (await created(chat)).id,
        op: 'add',
        stream_names: [await newChannel(chat)],
      }),
    'PATCH /streams/{stream_id} default_stream_groups': async ({ chat }) => {
      const { channels } = chat.people.desdemona.client;
      const { stream_id } = await channels.id({ stream: (await created(chat)).channel });
      await channels.update({ stream_id, is_private: true });
    },
    'DELETE /streams/{stream_id} default_stream_groups': async ({ chat }) => {
      const { channels } = chat.people.desdemona.client;
      const { stream_id } = await channels.id({ stream: (await created(chat)).channel });
      await channels.archive({ stream_id });
    },
  },
  changes: {
    'two default channel groups, one of them removed': async (chat) => {
      const { defaultChannelGroups } = chat.people.desdemona.client;
      await created(chat);
      await defaultChannelGroups.remove({ group_id: (await created(chat)).id });
    },
    'a channel of a default channel group archived and unarchived': async (chat) => {
      const { channels } = chat.people.desdemona.client;
      const { stream_id } = await channels.id({ stream: (await created(chat)).channel });
      await channels.archive({ stream_id });
      await channels.update({ stream_id, is_archived: false });
    },
    'a channel of a default channel group made private': async (chat) => {
      const { channels } = chat.people.desdemona.client;
      const { stream_id } = await channels.id({ stream: (await created(chat)).channel });
      await channels.update({ stream_id, is_private: true });
    },
  },
};
