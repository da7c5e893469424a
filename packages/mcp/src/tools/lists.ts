import { cutText, foldCase, narrowUrl } from '@bellhop/protocol';
import { z } from 'zod';

import { partOf } from '../fitting.ts';
import { Notice, NOTICE } from '../message-view.ts';
import { readingTool, type Tool } from './define-tool.ts';
import { channel, listed, listParams } from './params.ts';

const MAX_DESCRIPTION = 200;
/** The name of everybody whom a guest may not see. */
const UNKNOWN_USER = 'Unknown user';

const nameTest = (query: string | undefined) =>
  query === undefined ? () => true : (name: string) => foldCase(name).includes(foldCase(query));

export const listChannels: Tool = readingTool({
  name: 'list_channels',
  title: 'List channels',
  description:
    'Lists the channels that you may read, by name. Use it to find where a subject is discussed.',
  input: z.strictObject(listParams),
  output: z.object({
    notice: Notice,
    channels: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        description: z.string(),
        is_private: z.boolean(),
        link: z.string(),
      }),
    ),
    ...listed,
  }),
  async run({ channels, url }, { query, ...range }, signal) {
    const hasName = nameTest(query);
    const found = (await channels.list(signal)).filter(({ name }) => hasName(name));
    const views = found.map(({ id, name, description, isPrivate }) => ({
      id,
      name,
      description: cutText(description, MAX_DESCRIPTION, '...'),
      is_private: isPrivate,
      link: url + narrowUrl({ id, name }),
    }));
    const { part, ...rest } = partOf(views, range);
    return { notice: NOTICE, channels: part, ...rest };
  },
});

export const listTopics: Tool = readingTool({
  name: 'list_topics',
  title: 'List topics',
  description: 'Lists the topics of a channel, the one with the newest message first.',
  input: z.strictObject({ channel, ...listParams }),
  output: z.object({
    notice: Notice,
    channel: z.object({ id: z.int(), name: z.string() }),
    topics: z.array(z.object({ name: z.string(), newest_message_id: z.int(), link: z.string() })),
    ...listed,
  }),
  async run(agent, { channel: wanted, query, ...range }, signal) {
    const { id, name } = await agent.channels.find(wanted, signal);
    const { topics } = await agent.client.channels.topics({ stream_id: id }, { signal });
    const hasName = nameTest(query);
    const views = topics
      .filter((topic) => hasName(topic.name))
      .map((topic) => ({
        name: topic.name,
        newest_message_id: topic.max_id,
        link: agent.url + narrowUrl({ id, name }, topic.name),
      }));
    const { part, ...rest } = partOf(views, range);
    return { notice: NOTICE, channel: { id, name }, topics: part, ...rest };
  },
});

export const listPeople: Tool = readingTool({
  name: 'list_people',
  title: 'List people',
  description:
    'Lists the people and bots that you may see: names and IDs, without those who have left.',
  input: z.strictObject(listParams),
  output: z.object({
    notice: Notice,
    people: z.array(z.object({ id: z.int(), name: z.string(), is_bot: z.boolean() })),
    ...listed,
  }),
  async run({ client }, { query, ...range }, signal) {
    const { members } = await client.users.list({}, { signal });
    const hasName = nameTest(query);
    const views = members
      .filter(({ is_active, full_name }) => is_active && full_name !== UNKNOWN_USER)
      .filter(({ full_name }) => hasName(full_name))
      .map(({ user_id, full_name, is_bot }) => ({ id: user_id, name: full_name, is_bot }))
      .sort((a, b) => a.name.localeCompare(b.name));
    const { part, ...rest } = partOf(views, range);
    return { notice: NOTICE, people: part, ...rest };
  },
});
