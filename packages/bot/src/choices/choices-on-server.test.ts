import { fakeServer } from '@bellhop/fake-server';
import { expect, onTestFinished, test } from 'vitest';

import type { BotOptions } from '../bot-options.ts';
import { createBot } from '../create-bot.ts';
import { start } from '../start.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { virtualClock } from '../testing/virtual-clock.ts';

const ROOM = { channel: 'ops', topic: 'on call' };
const TRANSPORTS = ['webhook', 'queue'] as const;

/** Ada gives the command; Grace, or anybody in the channel, answers. */
async function pagerFixture(transport: (typeof TRANSPORTS)[number]) {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const [ada, grace] = [server.addUser('Ada'), server.addUser('Grace')];
  const user = server.addBot({ name: 'Pager' });
  const ops = server.addChannel('ops', { subscribers: [ada, grace, user] });
  const clock = virtualClock();
  const { email, token, apiKey } = user;
  const api = { url: server.url, apiKey };
  const store = memoryStore();
  const makeBot = (options: BotOptions) =>
    createBot(options)
      .command('page', (ctx) => ctx.later('page', 1000, null).then(() => 'I page.'))
      .command('ask', (ctx) =>
        ctx.choose('ask', 'Go?', { options: ['Yes', 'No'], by: 'anyone', timeoutMs: 60_000 }),
      )
      .task('page', ({ choose }) =>
        choose('page', '**Disk full**', {
          options: ['Mine'],
          by: [grace.id],
          to: { channelId: ops.id, topic: ROOM.topic },
          timeoutMs: 60_000,
        }),
      )
      .choice('page', (ctx) => `${ctx.by.fullName} is on it.`, {
        timedOut: ({ choose }) =>
          choose('page', 'Anybody?', {
            options: ['Mine'],
            by: 'anyone',
            to: { emails: [ada.email] },
          }),
      })
      .choice('ask', (_ctx, { option }) => `${option}!`);
  const startBot = async () => {
    const bot = makeBot({ email, token, api, clock, store });
    const running =
      transport === 'queue'
        ? await start(bot, { transport, signals: false })
        : await start(bot, { port: 0, signals: false });
    onTestFinished(() => running.stop(0));
    if ('url' in running) user.payloadUrl = running.url;
    return running;
  };
  const until = async (said: string, inRoom: Parameters<typeof server.conversation>[0] = ROOM) =>
    server.until(() => server.conversation(inRoom).some((one) => one === said));
  return { server, ada, grace, user, clock, startBot, until, direct: { users: [ada, user] } };
}

test.each(TRANSPORTS)(
  'over the %s a task asks in a channel, and the question shows the answer, after a restart too',
  async (transport) => {
    const { server, ada, grace, user, clock, startBot, until } = await pagerFixture(transport);
    const before = await startBot();
    ada.send('page', { users: [user] });
    await until('Pager: I page.', { users: [ada, user] });
    await clock.advance(1000);
    await until('Pager: **Disk full**\n\n1. Mine');
    const [asked] = server.messages(ROOM);
    expect(JSON.parse(asked?.widget ?? '')).toMatchObject({ extra_data: { heading: 'Disk full' } });
    await before.stop();
    await startBot();
    grace.send('Mine', ROOM);
    await until('Pager: Grace is on it.');
    expect(server.messages(ROOM)).toMatchObject([
      { id: asked?.id, content: '**Disk full**\n\nAnswered by Grace: Mine', widget: undefined },
      { content: 'Mine' },
      { content: 'Grace is on it.' },
    ]);
    expect(server.calls('PATCH /messages/{message_id}')).toHaveLength(1);
  },
);

test.each(TRANSPORTS)('over the %s a time-out asks somebody else directly', async (transport) => {
  const { server, ada, user, clock, startBot, until, direct } = await pagerFixture(transport);
  await startBot();
  ada.send('page', { users: [user] });
  await until('Pager: I page.', direct);
  await clock.advance(1000);
  await until('Pager: **Disk full**\n\n1. Mine');
  await clock.advance(60_000);
  await until('Pager: Anybody?\n\n1. Mine', direct);
  expect(server.conversation(ROOM)).toEqual([
    'Pager: **Disk full**\n\nNobody has answered in time.',
  ]);
  ada.send('1', { users: [user] });
  await until('Pager: Ada is on it.', direct);
});

test.each(TRANSPORTS)(
  'over the %s a question in the reply shows its answer and the end of its time',
  async (transport) => {
    const { server, ada, user, clock, startBot, until, direct } = await pagerFixture(transport);
    await startBot();
    ada.send('ask', { users: [user] });
    await until('Pager: Go?\n\n1. Yes\n2. No', direct);
    ada.send('No', { users: [user] });
    await until('Pager: No!', direct);
    ada.send('ask', { users: [user] });
    await until('Pager: Go?\n\n1. Yes\n2. No', direct);
    await server.settled();
    await clock.advance(60_000);
    await until('Pager: Go?\n\nNobody has answered in time.', direct);
    expect(server.conversation(direct)[1]).toBe('Pager: Go?\n\nAnswered by Ada: No');
  },
);

test.each([
  ['posted again without buttons where the server lets nobody edit it', 200],
  ['left, with a message of who has answered, where it may not be deleted either', 400],
])('a question is %s', async (_what, deletion) => {
  const { server, ada, user, startBot, until, direct } = await pagerFixture('webhook');
  await startBot();
  ada.send('ask', { users: [user] });
  await until('Pager: Go?\n\n1. Yes\n2. No', direct);
  server.fail({ route: 'PATCH /messages/{message_id}', status: 400 });
  if (deletion === 400) server.fail({ route: 'DELETE /messages/{message_id}', status: 400 });
  ada.send('Yes', { users: [user] });
  await until('Pager: Yes!', direct);
  expect(server.conversation(direct)).toEqual([
    'Ada: ask',
    ...(deletion === 400 ? ['Pager: Go?\n\n1. Yes\n2. No'] : []),
    'Ada: Yes',
    'Pager: Go?\n\nAnswered by Ada: Yes',
    'Pager: Yes!',
  ]);
});
