import { once } from 'node:events';
import { appendFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { botSource } from '../bot-project.fixture.ts';
import { ada, bot, conversation, project, quits, startDev, useDevProject } from '../dev.fixture.ts';

useDevProject();

test('bot dev loads a saved bot, keeps the version before if loading fails, and continues dialogs', async () => {
  const version = (name: string) => `import { name } from './name.ts';
import { z } from 'zod';
${botSource(`
  .command('ask', (ctx) => ctx.begin('ask'))
  .dialog('ask', { a: { ask: 'A?', schema: z.string() }, b: { ask: 'B?', schema: z.string() } },
    (_, { a, b }) => ['${name}', name, a, b].join(' '))
  .fallback(() => '${name} ' + name)`)}`;
  await project.write('name.ts', "export const name: string = 'first';");
  const dev = await startDev(version('one'));
  const says = async (text: string, reply: string) => {
    ada.send(text, { users: [bot] });
    await expect.poll(() => conversation().at(-1)).toBe(`Echo: ${reply}`);
  };
  await says('hi', 'one first');
  await says('ask', 'A?');
  dev.clear();
  await project.write('bot.ts', version('two'));
  await dev.prints('(bot.ts is loaded)');
  await says('x', 'B?');
  dev.clear();
  await project.write('name.ts', "export const name = = 'second';");
  await dev.prints(/name\.ts:1\nexport const name = = 'second';\n[^]*The version before goes on/);
  await says('y', 'two first x y');
  dev.clear();
  await project.write('name.ts', "export const name = 'second';");
  await dev.prints('(bot.ts is loaded)');
  await says('hi', 'two second');
  await quits(dev.child);
});

test('bot dev loads a bot again when an editor replaces a file, a missing import is made, or .env changes', async () => {
  const source = `import { word } from './word.ts';\n${botSource(
    `.fallback(() => word + (process.env.SUFFIX ?? ''))`,
  )}`;
  const dev = await startDev(source);
  await dev.prints(/Cannot find module .*word\.ts[^]*Messages wait until the next save/);
  await project.write('other.ts', '');
  await project.write('word.ts', `export const word: string = 'made';`);
  await dev.prints('(word.ts has changed)');
  ada.send('hi', { users: [bot] });
  await expect.poll(() => conversation().at(-1)).toBe('Echo: made');
  dev.clear();
  await project.write('word.ts~', `export const word: string = 'replaced';`);
  await rename(join(project.directory, 'word.ts~'), join(project.directory, 'word.ts'));
  await dev.prints('(bot.ts is loaded)');
  ada.send('hi', { users: [bot] });
  await expect.poll(() => conversation().at(-1)).toBe('Echo: replaced');
  dev.clear();
  await appendFile(join(project.directory, '.env'), 'SUFFIX=!');
  await dev.prints(/\(\.env has changed\)[^]*\(bot\.ts is loaded\)/);
  ada.send('hi', { users: [bot] });
  await expect.poll(() => conversation().at(-1)).toBe('Echo: replaced!');
  await quits(dev.child);
});

test('messages before, during and after saves are each answered once, also by a handler that runs on', async () => {
  const version = (name: string) =>
    botSource(`.fallback(async (ctx) => {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return '${name} ' + ctx.text;
})`);
  const dev = await startDev(version('v0'));
  await dev.prints('(bot.ts is loaded)');
  const texts: string[] = [];
  for (let at = 1; at <= 3; at += 1) {
    dev.clear();
    await project.write('bot.ts', version(`v${at}`));
    const send = () => {
      texts.push(String(texts.length));
      ada.send(texts.at(-1) ?? '', { users: [bot] });
    };
    send();
    await dev.prints('(bot.ts has changed)');
    send();
    await dev.prints('(bot.ts is loaded)');
    send();
  }
  const answered = () =>
    conversation().flatMap((said) => (said.startsWith('Echo: ') ? [said.split(' ')[2]] : []));
  await expect.poll(answered).toHaveLength(texts.length);
  expect(answered()).toEqual(texts);
  expect(conversation().at(-1)).toBe('Echo: v3 8');
  await quits(dev.child);
});

test('a save while a handler runs on names the message it ends, and gives those behind it to the new version', async () => {
  const dev = await startDev(
    botSource(`.fallback(async (ctx) => {
  if (ctx.text === 'nap') await new Promise((resolve) => setTimeout(resolve, 60_000));
  return 'old ' + ctx.text;
})`),
  );
  ada.send('nap', { users: [bot] });
  ada.send('behind', { users: [bot] });
  ada.send('and behind', { users: [bot] });
  await dev.prints('and behind');
  await project.write('bot.ts', botSource(`.fallback((ctx) => 'new ' + ctx.text)`));
  const answers = () => conversation().filter((said) => said.startsWith('Echo: '));
  await expect
    .poll(answers, { timeout: 15_000 })
    .toEqual(['Echo: new behind', 'Echo: new and behind']);
  await dev.prints(
    /The version before ran on for 5 s and was ended\)\n\(Not answered, the handler was ended: "nap"\)\n\(Left to the next version: "behind", "and behind"\)/,
  );
  await quits(dev.child);
});

test('messages behind one that ends the process are left to the next version', async () => {
  const dev = await startDev(
    botSource(`.command('die', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  process.exit(3);
})`),
  );
  ada.send('die', { users: [bot] });
  ada.send('behind', { users: [bot] });
  await dev.prints(
    /process ended with code 3\.[^]*"die"\)\n\(Left to the next version: "behind"\)/,
  );
  await project.write('bot.ts', botSource(`.fallback((ctx) => 'new ' + ctx.text)`));
  await expect.poll(() => conversation().at(-1)).toBe('Echo: new behind');
  await quits(dev.child);
});

test('the version before goes on while bot.ts is away, and while .env cannot be read', async () => {
  const dev = await startDev(botSource('.fallback((ctx) => ctx.text)'));
  await dev.prints('(bot.ts is loaded)');
  await rename(join(project.directory, 'bot.ts'), join(project.directory, 'away.ts'));
  await dev.prints(
    /\(bot\.ts has changed\)\n\nThere is no bot\.ts\.\n\(The version before goes on until the next save\.\)\n$/,
  );
  dev.clear();
  await rename(join(project.directory, 'away.ts'), join(project.directory, 'bot.ts'));
  await dev.prints('(bot.ts is loaded)');
  dev.clear();
  const env = await readFile(join(project.directory, '.env'), 'utf8');
  await rm(join(project.directory, '.env'));
  await mkdir(join(project.directory, '.env'));
  await dev.prints(/\n\.env cannot be read: EISDIR.*\n\(The version before goes on/);
  ada.send('hi', { users: [bot] });
  await expect.poll(() => conversation().at(-1)).toBe('Echo: hi');
  dev.clear();
  await rm(join(project.directory, '.env'), { recursive: true });
  await project.write('.env', env);
  await dev.prints('(bot.ts is loaded)');
  await quits(dev.child);
});

test('messages wait for the next save if a bot cannot be loaded or ends its process', async () => {
  const dev = await startDev('export default = 1;');
  await dev.prints(/bot\.ts:1\nexport default = 1;[^]*Messages wait until the next save/);
  ada.send('first', { users: [bot] });
  await project.write(
    'bot.ts',
    botSource(`.command('die', () => process.exit(3)).fallback((ctx) => ctx.text)`),
  );
  await expect.poll(conversation).toEqual(['Ada: first', 'Echo: first']);
  ada.send('die', { users: [bot] });
  await dev.prints("The bot's process ended with code 3.");
  ada.send('second', { users: [bot] });
  dev.clear();
  await project.write('bot.ts', botSource(`.fallback((ctx) => ctx.text)`));
  await expect.poll(() => conversation().at(-1)).toBe('Echo: second');
  dev.child.kill('SIGINT');
  expect(await once(dev.child, 'exit')).toEqual([0, null]);
});
