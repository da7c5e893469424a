import { api, type UserId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { createBot } from '../create-bot.ts';
import { type Delivery, readDelivery } from '../delivery.ts';
import { mention } from '../example-payload.fixture.ts';
import { receiver } from '../receiver.ts';
import { fakeChat } from '../rest/fake-chat.fixture.ts';
import { Runtime } from '../runtime.ts';
import { addressedText } from './addressed-text.ts';

const deliveryTo = (bot: { botFullName: string; botUserId?: UserId }) =>
  ({ ...bot, trigger: 'mention', message: { renderedContent: '' } }) as const;

const byName = (content: string, fullName = 'Echo Bot') =>
  addressedText({ content, renderedContent: '' }, deliveryTo({ botFullName: fullName }));

test.each([
  ['@**Echo Bot** deploy main', 'deploy main'],
  ['@**Echo Bot|9** deploy', 'deploy'],
  ['@_**Echo Bot** deploy', 'deploy'],
  ['  @**echo bot**\n deploy\nnow ', 'deploy\nnow'],
  ['\u200b@**Echo Bot** deploy', 'deploy'],
  ['@**Echo Bot**, hello', 'hello'],
  ['@**Echo Bot**: hello', 'hello'],
  ['@**Echo Bot**:hello', 'hello'],
  ['@**Echo Bot**', ''],
  ['@**Iago** deploy', '@**Iago** deploy'],
  ['@**all** deploy', '@**all** deploy'],
  ['@**Echo Bot 2** deploy', '@**Echo Bot 2** deploy'],
  ['ask @**Echo Bot** please', 'ask @**Echo Bot** please'],
  ['@**Echo Bot', '@**Echo Bot'],
  ['@**Echo Bot** @**Iago** hi', '@**Iago** hi'],
  ['', ''],
])('the addressed text of %j is %j', (content, text) => {
  expect(byName(content)).toBe(text);
});

test.each(['：', '，', '、', '；', '。', '！', '？', '،', '؛', '؟', '–', '—', '…', '।'])(
  'one %s after the mention is left out',
  (mark) => {
    expect(byName(`@**Echo Bot**${mark}deploy prod`)).toBe('deploy prod');
    expect(byName(`@**Echo Bot**${mark} deploy prod`)).toBe('deploy prod');
    expect(byName(`@**Echo Bot**\u200b${mark}deploy prod`)).toBe('deploy prod');
    expect(byName(`@**Echo Bot**${mark}${mark}deploy`)).toBe(`${mark}deploy`);
  },
);

test.each(['：', '，', '、', '；', '。', '！', '？', '،', '؛', '؟', '।'])(
  'one %s after the mention and a space is left out',
  (mark) => {
    for (const gap of [' ', '\u00a0', '\u3000', '\u200b \u200f'])
      expect(byName(`@**Echo Bot**${gap}${mark}deploy prod`)).toBe('deploy prod');
    expect(byName(`@**Echo Bot**\n${mark}deploy`)).toBe(`${mark}deploy`);
  },
);

test.each([
  ['! deploy', 'deploy'],
  [' : deploy', 'deploy'],
  ['\u00a0: deploy', 'deploy'],
  [' — deploy', 'deploy'],
  ['- deploy', 'deploy'],
  ['!deploy', '!deploy'],
  [' - one\n- two', '- one\n- two'],
  [' ?', '?'],
  ['--force', '--force'],
  [' --force', '--force'],
  [' —force', '—force'],
  ['"a b"', '"a b"'],
  ['#**ops**', '#**ops**'],
  ['¿qué?', '¿qué?'],
  [' ::: x', '::: x'],
])('%j after the mention is read as %j', (after, text) => {
  expect(byName(`@**Echo Bot**${after}`)).toBe(text);
});

test('a bot name with characters of regular expressions is removed with its mention', () => {
  expect(byName('@**R2 (D2)|5** beep', 'R2 (D2)')).toBe('beep');
});

const mentionHtml = (id: number, name: string) =>
  `<p><span class="user-mention" data-user-id="${id}">@${name}</span> deploy</p>`;

test.each([
  ['@**Before** deploy', mentionHtml(9, 'Before'), 'deploy'],
  ['@**|9** deploy', mentionHtml(9, 'Echo Bot'), 'deploy'],
  ['@**Before|9** deploy', mentionHtml(9, 'Before'), 'deploy'],
  [
    '@_**Before** deploy',
    '<p><span class="user-mention silent" data-user-id="9">B</span></p>',
    'deploy',
  ],
  ['@**Echo Bot|12** deploy', mentionHtml(12, 'Echo Bot'), '@**Echo Bot|12** deploy'],
  ['@**Iago** @**Echo Bot**', mentionHtml(7, 'Iago'), '@**Iago** @**Echo Bot**'],
  ['@**|12** deploy', '<p>@**|12** deploy</p>', '@**|12** deploy'],
  ['@**|9** deploy', '', 'deploy'],
])('with the ID of the bot, the text of %j with the HTML %j is %j', (content, html, text) => {
  const delivery = deliveryTo({ botFullName: 'Echo Bot', botUserId: 9 as UserId });
  expect(addressedText({ content, renderedContent: html }, delivery)).toBe(text);
});

test.each([
  ['the earlier name, of several mentions', 'Before', mentionHtml(7, 'Iago'), 'Ran deploy'],
  ['a later name, of one mention', 'After', '', 'Ran deploy'],
  ['a later name, of several mentions', 'After', mentionHtml(7, 'Iago'), 'Did not run'],
])('a webhook with %s, begins with its mention', async (_of, bot_full_name, more, answer) => {
  const payload = mention('@**Before** deploy');
  const sent = { ...payload, bot_full_name };
  const message = { ...payload.message, rendered_content: mentionHtml(9, 'Before') + more };
  const bot = createBot({ email: 'echo-bot@chat.test', token: 'genuine' })
    .command('deploy', () => 'Ran deploy')
    .fallback(() => 'Did not run');
  const { body } = await receiver([bot]).receive({
    text: JSON.stringify({ ...sent, message }),
    contentType: 'application/json',
    signature: { id: undefined, timestamp: undefined, signature: undefined },
  });
  expect(JSON.parse(body)).toMatchObject({ content: answer });
});

test('ctx.history finds the mention of the bot by an earlier name', async () => {
  const chat = await fakeChat();
  const shown: boolean[] = [];
  const { rendered_content: _html, ...message } = mention('@**Before** deploy').message;
  chat.respond(api.messages.fetch, ({ apply_markdown }) => {
    shown.push(apply_markdown === true);
    const content = apply_markdown ? mentionHtml(9, 'Before') : message.content;
    return {
      messages: [{ ...message, content, flags: [] }],
      found_anchor: false,
      found_oldest: true,
      found_newest: true,
      history_limited: false,
    };
  });
  const texts: string[] = [];
  const bot = createBot({
    email: 'echo-bot@chat.test',
    token: 'genuine',
    api: { url: chat.url, apiKey: 'key' },
  }).fallback(async ({ history }) => {
    texts.push(...(await history()).map(({ text }) => text));
  });
  const payload = { ...mention('@**After** hi'), bot_full_name: 'After' };
  const { delivery } =
    readDelivery({
      ...payload,
      message: { ...payload.message, rendered_content: mentionHtml(9, 'After') },
    }) ?? {};
  const { dispatcher } = new Runtime(bot, { deadlineMs: 8000, place: 'test' });
  await dispatcher.accept(delivery as Delivery);
  expect([texts, shown]).toEqual([['deploy'], [false, true]]);
  await chat[Symbol.asyncDispose]();
});
