import { type ChannelId, type Message, type MessageId, ReportType } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { resetRealmSettings } from '../../realms/realm-settings.fixture.ts';

let chat: TestChat;
let moderation: ChannelId;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia, shiva } = chat.people;
  await addChannel(chat, { name: 'denmark', subscribers: [hamlet, cordelia] });
  await addChannel(chat, { name: 'council', subscribers: [hamlet], invite_only: true });
  const members = { subscribers: [shiva], invite_only: true };
  moderation = await addChannel(chat, { name: 'moderation', ...members });
});
beforeEach(() => resetRealmSettings(chat, { moderation_request_channel_id: moderation }));
afterAll(() => chat[Symbol.asyncDispose]());

const send = async (content: string, to = 'denmark') =>
  (await chat.people.hamlet.client.messages.send({ type: 'channel', to, topic: 'news', content }))
    .id;
const report = ({ client }: Person, message_id: MessageId, description?: string) =>
  client.messages.report({
    message_id,
    report_type: 'harassment',
    ...(description !== undefined && { description }),
  });
/** The only message that Shiva, the moderator, gets while `act` runs. */
async function reported(act: () => Promise<unknown>): Promise<Message> {
  const queue = await listen(chat.people.shiva, { event_types: ['message'] });
  await act();
  const [event, ...others] = await queue.messages();
  expect(others).toEqual([]);
  return event?.['message'] as Message;
}

describe('POST /messages/{id}/report', () => {
  test('takes every type that the initial state lists, and posts its name', async () => {
    const { cordelia } = chat.people;
    const state = await cordelia.client.queues.register({ fetch_event_types: ['realm'] });
    const types = state.server_report_message_types ?? [];
    expect(types.map(({ key }) => key)).toEqual(ReportType.options);
    for (const { key, name } of types) {
      const message_id = await send(`as ${key}`);
      const told = { message_id, report_type: key, description: 'see for yourself' };
      const { content } = await reported(() => cordelia.client.messages.report(told));
      expect(content).toContain(`Reason: **${name}**`);
    }
  });

  test('posts reason, notes and content to the moderation channel', async () => {
    const { cordelia, hamlet } = chat.people;
    const id = await send('you *knave*');
    const message = await reported(() => report(cordelia, id, 'He is rude'));
    expect(message).toMatchObject({
      stream_id: moderation,
      subject: "Hamlet's moderation requests",
      sender_full_name: 'Notification Bot',
    });
    for (const part of [
      `@_**Cordelia|${cordelia.user.id}** reported a message sent by @_**Hamlet|${hamlet.user.id}**`,
      '#**denmark>news**',
      `/near/${id}`,
      'Reason: **Harassment**',
      'He is rude',
      'you *knave*',
    ])
      expect(message.content).toContain(part);
  });

  test('the texts of others mention nobody and end no code block', async () => {
    const { shiva, cordelia } = chat.people;
    const queue = await listen(shiva, { event_types: ['message'], apply_markdown: true });
    await report(
      cordelia,
      await send('x\n```\n@**all** ![](https://a.test/b.png)'),
      '````\n@**all**',
    );
    const [event] = await queue.messages();
    expect(event).toMatchObject({ flags: [] });
    const { content = '' } = (event?.['message'] ?? {}) as Partial<Message>;
    expect(content.match(/<pre>/g)).toHaveLength(2);
    expect(content).not.toMatch(/<img|class="user-mention"/);
  });

  test('a direct message is reported by a participant, not by others', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const to = [cordelia.user.id];
    const { id } = await hamlet.client.messages.send({ type: 'direct', to, content: 'psst' });
    const message = await reported(() => report(cordelia, id));
    expect(message.content).toContain('in a direct message');
    await expect(report(iago, id)).rejects.toMatchObject({ message: 'Invalid message(s)' });
  });

  test('a message of a private channel of others is refused like a missing one', async () => {
    for (const id of [await send('x', 'council'), 999_999 as MessageId])
      await expect(report(chat.people.cordelia, id)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: 'Invalid message(s)',
      });
  });

  test('a report of the type other needs a description, an unknown type is refused', async () => {
    const route = `POST /messages/${await send('x')}/report`;
    for (const fields of [
      { report_type: 'other' },
      { report_type: 'other', description: ' ' },
      { report_type: 'boring' },
      { report_type: 'spam', description: 'x'.repeat(1001) },
    ])
      await expectRefused(chat.ask(chat.people.cordelia, route, fields), 'BAD_REQUEST');
  });

  test('is refused without a moderation channel, or if it is archived', async () => {
    const { cordelia } = chat.people;
    const id = await send('x');
    const refused = expect.objectContaining({ message: expect.stringContaining('moderation') });
    await resetRealmSettings(chat, {});
    await expect(report(cordelia, id)).rejects.toEqual(refused);
    await resetRealmSettings(chat, { moderation_request_channel_id: moderation });
    await chat.server.app.db.kysely
      .updateTable('channel')
      .set({ is_archived: true })
      .where('id', '=', moderation)
      .execute();
    await expect(report(cordelia, id)).rejects.toEqual(refused);
  });
});
