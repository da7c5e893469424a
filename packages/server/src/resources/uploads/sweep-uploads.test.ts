import { UNCLAIMED_DAYS } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { sweep } from './sweep-uploads.ts';
import { download, upload } from './uploads.fixture.ts';

let chat: TestChat;
let now = Math.floor(Date.now() / 1000);
let hamlet: Person;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
});
beforeEach(async () => {
  hamlet = await chat.addPerson(`hamlet${now}`);
});
afterAll(() => chat[Symbol.asyncDispose]());

const waitDays = (days: number) => (now += days * 86_400 + 1);
const isStored = async (url: string) => (await download(chat, hamlet, url)).status === 200;

/** Something that links a file without a message, and a way to end it. */
const links: Record<string, (content: string) => Promise<() => Promise<unknown>>> = {
  'a scheduled message': async (content) => {
    const { scheduled_message_id } = await hamlet.client.scheduledMessages.add({
      type: 'direct',
      to: [hamlet.user.id],
      content,
      scheduled_delivery_timestamp: now + 200 * 86_400,
    });
    return () => hamlet.client.scheduledMessages.remove({ scheduled_message_id });
  },
  'a draft': async (content) => {
    const draft = { type: '' as const, to: [], topic: '', content };
    const [draft_id] = (await hamlet.client.drafts.add({ drafts: [draft] })).ids;
    if (draft_id === undefined) throw new Error('no draft');
    return () => hamlet.client.drafts.remove({ draft_id });
  },
  'a saved snippet': async (content) => {
    const { saved_snippet_id } = await hamlet.client.savedSnippets.add({ title: 'x', content });
    return () => hamlet.client.savedSnippets.remove({ saved_snippet_id });
  },
};

describe.each(Object.entries(links))('a file that only %s of its owner links', (_, link) => {
  test('is kept, and removed after another term without the link', async () => {
    const url = await upload(hamlet);
    const end = await link(`see [notes](${url})`);
    waitDays(UNCLAIMED_DAYS);
    await sweep(chat.server.app);
    expect(await isStored(url)).toBe(true);
    await end();
    waitDays(UNCLAIMED_DAYS - 1);
    await sweep(chat.server.app);
    expect(await isStored(url)).toBe(true);
    waitDays(1);
    await sweep(chat.server.app);
    expect(await isStored(url)).toBe(false);
  });
});

test('a draft of another user does not keep a file', async () => {
  const url = await upload(hamlet);
  const draft = { type: '' as const, to: [], topic: '', content: `see ${url}` };
  await chat.people.cordelia.client.drafts.add({ drafts: [draft] });
  waitDays(UNCLAIMED_DAYS);
  await sweep(chat.server.app);
  expect(await isStored(url)).toBe(false);
});
