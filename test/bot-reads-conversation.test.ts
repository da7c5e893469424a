import { createBot, start } from '@bellhop/bot';
import { uploadFile } from '@bellhop/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type ChatDriver, fakeDriver, realDriver } from './support/chat-driver.ts';
import { createChannels, createWebhookBot } from './support/webhook-bot.ts';

describe.each([
  ['the fake server', () => fakeDriver()],
  ['the real server', () => realDriver()],
])('a bot on %s', (_name, startChat) => {
  let chat: ChatDriver;
  beforeAll(async () => {
    chat = await startChat();
    await createChannels(chat);
  });
  afterAll(() => chat[Symbol.asyncDispose]());

  /** A webhook bot of the framework behind the endpoint of a scripted one. */
  async function runningBot() {
    const fixture = await createWebhookBot(chat);
    const { email, token, apiKey } = fixture.bot;
    const bot = createBot({ email, token, api: { url: chat.url, apiKey } })
      .command('recall', async ({ history }) => {
        const found = await history(2);
        return found
          .map(({ isOwn, sender, text }) => `${isOwn} ${sender.fullName}: ${text}`)
          .join('\n');
      })
      .command('close', async ({ thread }) => {
        await thread.resolve();
        return 'Closed.';
      })
      .fallback(async ({ attachments }) => {
        const files = await attachments();
        const sizes = files.map(({ name, type, size }) => `${name} ${type} ${size}`);
        const [first] = files;
        return `${sizes.join()}: ${new TextDecoder().decode(await first?.bytes())}`;
      });
    const { url, stop } = await start([bot], { port: 0, signals: false });
    fixture.hook.answers((response, turn) => {
      const body = fixture.hook.received[turn - 1]?.body ?? '';
      void fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
        .then((answer) => answer.text())
        .then((text) => response.end(text));
    });
    const dispose = async () => {
      await stop(0);
      await fixture[Symbol.asyncDispose]();
    };
    return { ...fixture, [Symbol.asyncDispose]: dispose };
  }

  test('reads the messages before the one it answers', async () => {
    await using fixture = await runningBot();
    await fixture.mention('one');
    await fixture.mention('two **bold**');
    await fixture.mention(`@**${fixture.bot.full_name}** recall`);
    await fixture.mention(`@**${fixture.bot.full_name}** recall`);
    const first = 'false Cordelia: one\nfalse Cordelia: two **bold**';
    expect(await fixture.repliesIn()).toEqual([
      first,
      `false Cordelia: recall\ntrue ${fixture.bot.full_name}: ${first}`,
    ]);
  });

  test('reads a file that a message links to', async () => {
    await using fixture = await runningBot();
    const { email, apiKey } = chat.cordelia;
    const file = new File(['hello, file'], 'notes one.txt', { type: 'text/plain' });
    const { url } = await uploadFile({ url: chat.url, email, apiKey }, file);
    await fixture.direct(`look at [notes](${url})`);
    expect(await fixture.directReplies()).toEqual(['notes text/plain 11: hello, file']);
  });

  test('resolves a topic, and its reply goes to the resolved one', async () => {
    await using fixture = await runningBot();
    await fixture.mention(`@**${fixture.bot.full_name}** close`);
    await expect
      .poll(() => fixture.repliesIn({ topic: `✔ ${fixture.topic}` }))
      .toContain('Closed.');
    expect(await fixture.repliesIn()).toEqual([]);
  });
});
