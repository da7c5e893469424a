import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type McpChat, startMcpChat } from '../support/mcp-chat.ts';
import { contentsOf, type McpClient, messagesOf, type SeenMessage } from '../support/mcp-client.ts';

let world: McpChat;
let mcp: McpClient;
beforeAll(async () => {
  world = await startMcpChat();
  mcp = await world.connect();
});
afterAll(async () => {
  await mcp[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

describe('the tools of bellhop mcp', () => {
  test('have descriptions, bounded arguments and hints whether they write', async () => {
    const { tools } = await mcp.client.listTools();
    const writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint);
    expect(writing.map(({ name }) => name)).toEqual([
      'send_message',
      'reply',
      'add_reaction',
      'edit_message',
    ]);
    expect(tools.map(({ name }) => name).slice(0, 6)).toEqual([
      'list_channels',
      'list_topics',
      'list_people',
      'read_messages',
      'search_messages',
      'get_message',
    ]);
    expect(
      tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name),
    ).toEqual(['edit_message']);
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description?.length).toBeGreaterThan(40);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: 'object' });
    }
  });

  test('return the same as text and as a structure', async () => {
    const { content, structuredContent } = await mcp.client.callTool({ name: 'list_channels' });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  test('list channels, topics and people in parts, by a part of the name', async () => {
    const channels = await mcp.call('list_channels', { limit: 1 });
    expect(channels).toMatchObject({ total: 2, next_offset: 1, channels: [{ name: 'lunch' }] });
    const rest = await mcp.call('list_channels', { offset: 1 });
    expect(rest).toMatchObject({
      next_offset: null,
      channels: [{ name: 'ops', description: 'Operations', is_private: false }],
    });
    await world.say('hamlet', 'ops>first', 'x');
    const newest = await world.say('hamlet', 'ops>second', 'x');
    const topics = await mcp.call('list_topics', { channel: '#OPS', limit: 1 });
    expect(topics).toMatchObject({
      channel: { name: 'ops' },
      topics: [{ name: 'second', newest_message_id: newest }],
      next_offset: 1,
    });
    const people = await mcp.call('list_people', { query: 'CORD' });
    expect(people).toMatchObject({
      total: 1,
      people: [{ id: world.chat.people.cordelia.user.id, name: 'Cordelia', is_bot: false }],
    });
    expect(JSON.stringify(people)).not.toContain(world.chat.people.cordelia.email);
  });

  test('read a topic in both directions', async () => {
    const ids: number[] = [];
    for (const number of [1, 2, 3, 4, 5])
      ids.push(await world.say('hamlet', 'ops>count', `No. ${number}`));
    const place = { channel: 'ops', topic: 'count', limit: 2 };
    const newest = await mcp.call('read_messages', place);
    expect(contentsOf(newest)).toEqual(['No. 4', 'No. 5']);
    expect(newest['paging']).toBe(`There are older messages: call again with before=${ids[3]}.`);
    const older = await mcp.call('read_messages', { ...place, before: ids[3] });
    expect(contentsOf(older)).toEqual(['No. 2', 'No. 3']);
    const oldest = await mcp.call('read_messages', { ...place, before: ids[1] });
    expect([contentsOf(oldest), oldest['paging']]).toEqual([
      ['No. 1'],
      'There are no older messages.',
    ]);
    const first = await mcp.call('read_messages', { ...place, after: 0 });
    expect(contentsOf(first)).toEqual(['No. 1', 'No. 2']);
    expect(first['paging']).toBe(`There are newer messages: call again with after=${ids[1]}.`);
    const last = await mcp.call('read_messages', { ...place, after: ids[3] });
    expect([contentsOf(last), last['paging']]).toEqual([['No. 5'], 'There are no newer messages.']);
    const none = await mcp.call('read_messages', { channel: 'ops', topic: 'nothing here' });
    expect(none).toMatchObject({ messages: [], paging: 'There are no such messages.' });
  });

  test('cut long messages and long results, and say how to read the rest', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 20; count += 1)
      ids.push(await world.say('hamlet', 'ops>long', `${count} ${'x'.repeat(9000)}`));
    const page = await mcp.call('read_messages', { channel: 'ops', topic: 'long', limit: 20 });
    const messages = messagesOf(page);
    expect(messages.length).toBeLessThan(20);
    expect(messages.at(-1)?.id).toBe(ids.at(-1));
    expect(messages.at(-1)?.characters_left_out).toBe(9003 - 2000);
    expect(page['paging']).toBe(
      `There are older messages (${20 - messages.length} of them were left out because the result would be too long): call again with before=${messages[0]?.id}.`,
    );
    expect(JSON.stringify(page).length).toBeLessThan(31_000);
    const whole = await mcp.call('get_message', { message_id: ids[10], context: 20 });
    expect((whole['message'] as SeenMessage).content).toBe(`10 ${'x'.repeat(9000)}`);
    const context = messagesOf(whole, 'context').map(({ id }) => id);
    expect(context).toContain(ids[9]);
    expect(context).toContain(ids[11]);
    expect(JSON.stringify(whole).length).toBeLessThan(32_000);
  });

  test('search what the bot has received and all public channels at once', async () => {
    await world.say('cordelia', 'ops>search', 'The capybara is in a channel.');
    const { client } = world.chat.people.cordelia;
    await client.messages.send({
      type: 'direct',
      to: [world.bot.id],
      content: 'A capybara is here too.',
    });
    const found = await mcp.call('search_messages', { words: 'capybara' });
    expect(contentsOf(found)).toEqual(['The capybara is in a channel.', 'A capybara is here too.']);
    const inChannel = await mcp.call('search_messages', { words: 'capybara', channel: 'ops' });
    expect(contentsOf(inChannel)).toEqual(['The capybara is in a channel.']);
    const bySender = await mcp.call('search_messages', {
      words: 'capybara',
      sender: world.chat.people.hamlet.user.id,
    });
    expect(contentsOf(bySender)).toEqual([]);
  });

  test('write: a message, a direct one, a reply, a reaction, an edit', async () => {
    const sent = await mcp.call('send_message', { channel: 'ops', topic: 'write', content: 'One' });
    await mcp.call('edit_message', { message_id: sent['message_id'], content: 'One, mended' });
    const asked = await world.say('cordelia', 'ops>write', 'Two');
    await mcp.call('reply', { message_id: asked, content: 'Three' });
    await mcp.call('add_reaction', { message_id: asked, emoji_name: ':tada:' });
    await mcp.call('add_reaction', { message_id: asked, emoji_name: 'tada' });
    expect(await world.textOf('ops>write')).toEqual([
      'Helper: One, mended',
      'Cordelia: Two',
      'Helper: Three',
    ]);
    const read = await mcp.call('get_message', { message_id: asked });
    expect(read).toMatchObject({
      message: { reactions: [{ emoji: 'tada', count: 1 }] },
      context: [{ is_own: true, edited_at: expect.any(String) }, { content: 'Three' }],
    });
    const direct = await mcp.call('send_message', {
      people: [world.chat.people.cordelia.user.id],
      content: 'Psst',
    });
    await mcp.call('reply', { message_id: direct['message_id'], content: 'And another' });
    const conversation = await mcp.call('read_messages', {
      people: [world.chat.people.cordelia.user.id],
      limit: 2,
    });
    expect(contentsOf(conversation)).toEqual(['Psst', 'And another']);
  });

  const place = { channel: 'ops', topic: 'refused' };
  test.each<[string, string, Record<string, unknown>, RegExp]>([
    ['a channel without a topic', 'send_message', { channel: 'ops', content: 'x' }, /Give either/],
    ['channel and people', 'send_message', { ...place, people: [1], content: 'x' }, /Give either/],
    ['an empty text', 'send_message', { ...place, content: ' ' }, /content/],
    ['a long text', 'send_message', { ...place, content: 'x'.repeat(10_001) }, /10000/],
    ['a long topic', 'send_message', { ...place, topic: 'a'.repeat(61), content: 'x' }, /60/],
    ['another parameter', 'send_message', { ...place, content: 'x', subject: 'b' }, /subject/],
    [
      'an unknown channel',
      'send_message',
      { ...place, channel: 'nope', content: 'x' },
      /no channel "nope".*list_channels/,
    ],
    [
      'unknown people',
      'send_message',
      { people: [999_999], content: 'x' },
      /The chat server refused: /,
    ],
    ['no place', 'read_messages', {}, /Give either channel \(with or without topic\) or people/],
    ['two anchors', 'read_messages', { ...place, before: 5, after: 5 }, /before or after/],
    ['a topic alone', 'read_messages', { people: [1], topic: 'a' }, /needs its channel/],
    ['a large limit', 'read_messages', { ...place, limit: 101 }, /limit/],
    ['no words', 'search_messages', place, /Give words, a sender, or both/],
    ['an unknown message', 'get_message', { message_id: 999_999 }, /no message 999999 that you/],
    ['a word for an ID', 'get_message', { message_id: 'last' }, /message_id/],
    [
      'two words for an emoji',
      'add_reaction',
      { message_id: 1, emoji_name: 'a b' },
      /such as thumbs_up/,
    ],
  ])(
    '%s in %s fails with a text that tells the model what to do',
    async (_what, name, args, text) => {
      await expect(mcp.call(name, args)).rejects.toThrow(text);
    },
  );

  test('edit only messages of the bot', async () => {
    const message_id = await world.say('cordelia', 'ops>mine', 'Mine');
    await expect(mcp.call('edit_message', { message_id, content: 'Yours' })).rejects.toThrow(
      /is not yours: you can edit only messages that you have sent/,
    );
  });
});
