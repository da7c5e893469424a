import { fakeServer } from '@bellhop/fake-server';
import { expect, onTestFinished, test } from 'vitest';

import makeBot from './bot.ts';

test('the bot asks for approval with buttons, and shows who has pressed one', async () => {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const [ada, grace] = [server.addUser('Ada'), server.addUser('Grace')];
  const releases = server.addBot({ name: 'Releases' });
  server.addChannel('ops', { subscribers: [ada, grace, releases] });
  const { email, apiKey } = releases;
  const bot = makeBot({ url: server.url, email, apiKey, mode: 'polling' });
  onTestFinished(() => bot.shutdown());
  await bot.initialize();

  const topic = { channel: 'ops', topic: 'releases' };
  const conversation = () => server.conversation(topic);
  ada.send('@**Releases** release 2.1', topic);
  await server.until(() => conversation().length === 2);
  const widget = JSON.parse(server.messages(topic)[1]?.widget ?? '{}') as {
    extra_data: { choices: { reply: string }[] };
  };
  const [approve] = widget.extra_data.choices.map(({ reply }) => reply);
  expect(approve).toBe(`@**Releases|${releases.id}** Approve 2.1`);

  grace.send(approve ?? '', topic);
  await server.until(() => conversation()[1] === 'Releases: Release 2.1: approved by Grace.');
});
