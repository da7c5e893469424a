import type { ChannelId, MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';

let chat: TestChat;
let channel: ChannelId;
let topics = 0;
let topic: string;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia, iago } = chat.people;
  channel = await addChannel(chat, {
    name: 'Denmark',
    subscribers: [hamlet, cordelia, iago],
  });
});
beforeEach(() => {
  topic = `topic ${++topics}`;
});
afterAll(() => chat[Symbol.asyncDispose]());

const send = async (from: Person, content = 'x') => {
  const message = { type: 'channel', to: 'Denmark', topic, content } as const;
  return (await from.client.messages.send(message)).id;
};
async function moved(by: Person, id: MessageId, fields: Record<string, string>) {
  const asked = { send_notification_to_new_thread: 'false', ...fields };
  const { body } = await chat.ask(by, `PATCH /messages/${id}`, asked);
  expect(body).toMatchObject({ result: 'success' });
}
const contents = async (of: string, apply_markdown = false) => {
  const narrow = [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: of },
  ];
  const ask = { anchor: 'newest', num_before: 100, narrow, apply_markdown } as const;
  const { messages } = await chat.people.iago.client.messages.fetch(ask);
  return messages.map(({ content }) => content);
};

describe('notices about moves', () => {
  const both = { send_notification_to_old_thread: 'true', send_notification_to_new_thread: 'true' };
  const by = () => `by @_**Cordelia|${chat.people.cordelia.user.id}**.`;

  test('both topics get a notice that the whole topic moved', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await send(hamlet);
    await send(hamlet, 'y');
    await moved(cordelia, id, { ...both, topic: `to ${topic}`, propagate_mode: 'change_all' });
    expect(await contents(topic)).toEqual([
      `This topic was moved to #**Denmark>to ${topic}** ${by()}`,
    ]);
    expect(await contents(`to ${topic}`)).toEqual([
      'x',
      'y',
      `This topic was moved here from #**Denmark>${topic}** ${by()}`,
    ]);
  });

  test('a topic renamed only in letter case gets no notice', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await send(hamlet);
    await send(hamlet, 'y');
    for (const propagate_mode of ['change_one', 'change_all'])
      await moved(cordelia, id, {
        ...both,
        topic: propagate_mode === 'change_one' ? topic.toUpperCase() : topic,
        propagate_mode,
      });
    expect(await contents(topic)).toEqual(['x', 'y']);
  });

  test('notices of a move within a channel link to the other topic', async () => {
    const { hamlet, cordelia } = chat.people;
    await send(hamlet, 'stays');
    const id = await send(hamlet);
    await moved(cordelia, id, { ...both, topic: `to ${topic}` });
    const shown = [await contents(topic, true), await contents(`to ${topic}`, true)];
    expect(shown.map(([, notice]) => notice)).toEqual([
      expect.stringContaining(`>#Denmark &gt; to ${topic}</a>`),
      expect.stringContaining(`>#Denmark &gt; ${topic}</a>`),
    ]);
  });

  test('resolving an older message of a resolved topic keeps the notice and adds one', async () => {
    const { hamlet, cordelia } = chat.people;
    const [one, two] = [await send(hamlet), await send(hamlet)];
    const resolved = `\u2714 ${topic}`;
    for (const id of [two, one]) await moved(cordelia, id, { ...both, topic: resolved });
    const notice = expect.stringMatching(/ has marked this topic as resolved\.$/);
    expect(await contents(resolved)).toEqual(['x', 'x', notice, notice]);
  });

  test('both topics get a notice about some messages, with a link to a single one', async () => {
    const { hamlet, cordelia } = chat.people;
    await send(hamlet, 'stays');
    const [one, two] = [await send(hamlet, 'a'), await send(hamlet, 'b')];
    await send(hamlet, 'c');
    await moved(cordelia, two, { ...both, topic: `to ${topic}`, propagate_mode: 'change_later' });
    await moved(cordelia, one, { ...both, topic: `to ${topic}` });
    expect(await contents(topic)).toEqual([
      'stays',
      `2 messages were moved from this topic to #**Denmark>to ${topic}** ${by()}`,
      `A message was moved from this topic to #**Denmark>to ${topic}** ${by()}`,
    ]);
    const [, , , others, link] = await contents(`to ${topic}`);
    expect(others).toBe(`2 messages were moved here from #**Denmark>${topic}** ${by()}`);
    expect(link).toMatch(
      /^\[A message\]\(http:\/\/chat\.test\/#narrow\/channel\/\d+-Denmark\/topic/,
    );
    expect(link).toContain(`/near/${one}) was moved here from #**Denmark>${topic}** ${by()}`);
  });

  test('by default only the new topic gets a notice', async () => {
    const { hamlet, cordelia } = chat.people;
    const id = await send(hamlet);
    await moved(cordelia, id, { topic: `to ${topic}` });
    expect(await contents(topic)).toEqual([]);
    expect(await contents(`to ${topic}`)).toEqual(['x']);
    await cordelia.client.messages.edit({ message_id: id, topic: `*from* ${topic}` });
    expect((await contents(`*from* ${topic}`))[1]).toContain('This topic was moved here');
    expect(await contents(`to ${topic}`)).toEqual([]);
    await cordelia.client.messages.edit({ message_id: id, topic });
    expect((await contents(topic))[1]).toContain('[another topic](/#narrow/channel/');
  });
});
