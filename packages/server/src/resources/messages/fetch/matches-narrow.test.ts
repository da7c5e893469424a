import type { MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { addChannel } from '../../channels/channels.fixture.ts';

let chat: TestChat;
let ids: Record<'apples' | 'pears' | 'hidden' | 'history', MessageId>;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await addChannel(chat, { name: 'denmark', subscribers: [hamlet, cordelia] });
  await addChannel(chat, { name: 'forum', subscribers: [hamlet] });
  await addChannel(chat, { name: 'council', subscribers: [hamlet], invite_only: true });
  const send = async (to: string, topic: string, content: string) =>
    (await hamlet.client.messages.send({ type: 'channel', to, topic, content })).id;
  ids = {
    apples: await send('denmark', 'fruit & more', '**apples** here'),
    pears: await send('denmark', '', 'pears'),
    hidden: await send('council', 'fruit', 'apples'),
    history: await send('forum', 'fruit', 'apples'),
  };
});
afterAll(() => chat[Symbol.asyncDispose]());

const matches = async (...narrow: (readonly [string, string])[]) => {
  const msg_ids = Object.values(ids);
  const { client } = chat.people.cordelia;
  const { messages } = await client.messages.matchesNarrow({
    msg_ids,
    narrow: narrow.map(([operator, operand]) => ({ operator, operand })),
  });
  return messages;
};

describe('GET /messages/matches_narrow', () => {
  test('returns the readable messages that match, content and topic as HTML', async () => {
    expect(await matches(['channel', 'denmark'])).toEqual({
      [ids.apples]: {
        match_content: '<p><strong>apples</strong> here</p>',
        match_subject: 'fruit &amp; more',
      },
      [ids.pears]: { match_content: '<p>pears</p>', match_subject: 'general chat' },
    });
  });

  test('highlights the matches of a search', async () => {
    const apples = '<span class="highlight">apples</span>';
    expect(await matches(['search', 'apple'], ['channel', 'denmark'])).toEqual({
      [ids.apples]: {
        match_content: `<p><strong>${apples}</strong> here</p>`,
        match_subject: 'fruit &amp; more',
      },
    });
  });

  test('without a narrow finds every readable message, received or not', async () => {
    const { apples, pears, history } = ids;
    expect(Object.keys(await matches())).toEqual([apples, pears, history].map(String));
  });

  test('an unknown operator is refused as BAD_NARROW, missing ids as REQUEST_VARIABLE_MISSING', async () => {
    const narrow = JSON.stringify([['colour', 'red']]);
    const ask = (fields: Record<string, string>) =>
      chat.ask(chat.people.cordelia, 'GET /messages/matches_narrow', fields);
    await expectRefused(ask({ msg_ids: '[1]', narrow }), 'BAD_NARROW');
    await expectRefused(ask({ narrow: '[]' }), 'REQUEST_VARIABLE_MISSING');
  });
});
