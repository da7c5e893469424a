import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { type FakeBot, type FakeServer, fakeServer, type FakeUser } from '@bellhop/fake-server';
import { freePorts } from '@bellhop/http/testing';
import { afterEach, beforeEach, expect } from 'vitest';

import { type BotProject, botProject } from './bot-project.fixture.ts';

export let server: FakeServer;
export let ada: FakeUser;
export let bot: FakeBot;
export let project: BotProject;

/**
 * Gives each test of the calling file a server, Ada, a bot and a project. A file calls it: files of one
 * worker share this module, so that hooks of the module itself would belong to the first of them.
 */
export function useDevProject(): void {
  beforeEach(async () => {
    server = await fakeServer();
    ada = server.addUser('Ada');
    bot = server.addBot({ name: 'Echo' });
    server.addChannel('ops', { subscribers: [ada, bot] });
    project = await botProject();
  });
  afterEach(async () => {
    await project[Symbol.asyncDispose]();
    await server.stop();
  });
}

/** What Ada and the bot have written to each other. */
export const conversation = () => server.conversation({ users: [ada, bot] });

/** Runs `bellhop bot dev` on a bot; returns the process and its output. */
export async function startDev(source: string, args: readonly string[] = [], wanted?: number) {
  await project.write('bot.ts', source);
  const [port = 0] = wanted === undefined ? await freePorts(1) : [wanted];
  await project.write(
    '.env',
    `BOT_EMAIL=${bot.email}\nBOT_TOKEN=${bot.token}\nBOT_API_KEY=${bot.apiKey}\nBOT_SITE=${server.url}\nPORT=${port}\n`,
  );
  const child = project.start(['bot', 'dev', ...args], { env: { TMPDIR: project.directory } });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (out += text));
  const prints = (text: string | RegExp) => expect.poll(() => out).toMatch(text);
  await expect.poll(() => server.waitingPolls()).toBe(1);
  return { child, port, prints, output: () => out, clear: () => (out = '') };
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export async function quits(child: ChildProcess): Promise<void> {
  child.stdin?.write('q\n');
  expect(await once(child, 'exit')).toEqual([0, null]);
}
