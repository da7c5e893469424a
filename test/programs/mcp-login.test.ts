import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { freePorts } from '@bellhop/http/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { block } from '../docs/commands-of.ts';
import { pageText } from '../docs/examples-in.ts';
import { type McpChat, startMcpChat } from '../support/mcp-chat.ts';
import { connectMcp, namesOf } from '../support/mcp-client.ts';
import { bin } from '../support/program.ts';
import { root } from '../support/source-files.ts';

let world: McpChat;
let folder: string;
beforeAll(async () => {
  world = await startMcpChat();
  folder = await mkdtemp(join(tmpdir(), 'bellhop-login-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await world[Symbol.asyncDispose]();
});

describe('the login of bellhop mcp', () => {
  test('comes from the .env of a bot project or from a zuliprc', async () => {
    const { BOT_SITE, BOT_EMAIL, BOT_API_KEY } = world.bot.env;
    const zuliprc = join(folder, 'zuliprc');
    await writeFile(zuliprc, `[api]\nemail=${BOT_EMAIL}\nkey = ${BOT_API_KEY}\nsite=${BOT_SITE}\n`);
    const dotenv = join(folder, '.env');
    await writeFile(
      dotenv,
      Object.entries(world.bot.env)
        .map((pair) => pair.join('='))
        .join('\n'),
    );
    for (const file of [zuliprc, dotenv]) {
      await using mcp = await world.connect({ env: {}, args: ['--login', file] });
      expect(mcp.client.getInstructions()).toContain('"Helper"');
    }
  });

  test('is that of the bot of a running sandbox if there is no other', async () => {
    const { email, api_key, user } = world.chat.people.hamlet;
    const person = {
      user_id: user.id,
      email,
      full_name: 'Hamlet',
      role: 400,
      password: '',
      api_key,
    };
    const file = {
      base_url: world.chat.url,
      bouncer_url: '',
      bouncer_public_key: '',
      app_id: '',
      console_url: '',
      simulator: { fcm_url: '', apns_url: '', webpush_url: '', control_url: '', control_token: '' },
      users: [person],
      bots: [
        {
          user_id: world.bot.id,
          email: world.bot.env['BOT_EMAIL'],
          api_key: world.bot.env['BOT_API_KEY'],
          token: 't',
          payload_url: '',
        },
      ],
      devices: [],
      channels: [],
    };
    const env = { BELLHOP_DATA_DIR: folder };
    await expect(world.connect({ env })).rejects.toThrow(
      /^There is no running sandbox in [^]*--login FILE/,
    );
    await writeFile(join(folder, 'sandbox.json'), JSON.stringify(file));
    // A sandbox counts as running if it answers within two seconds, which a busy machine does not always.
    await using mcp = await vi.waitFor(() => world.connect({ env }), { timeout: 100_000 });
    expect(mcp.client.getInstructions()).toContain('"Helper"');
  });

  test('of a person is warned of', async () => {
    const { email, api_key } = world.chat.people.hamlet;
    await using mcp = await world.connect({
      env: { BOT_SITE: world.chat.url, BOT_EMAIL: email, BOT_API_KEY: api_key },
    });
    await expect.poll(() => mcp.logged().join()).toContain('appears as written by Hamlet');
  });

  test('is named when the key is wrong, the server unreachable or a channel unknown', async () => {
    const wrongKey = world.connect({ env: { ...world.bot.env, BOT_API_KEY: 'x'.repeat(32) } });
    await expect(wrongKey).rejects.toThrow(
      /^http\S+ does not accept the API key of helper-bot@\S+: [^\n]+\n$/,
    );
    const [port] = await freePorts(1);
    const nobody = world.connect({
      env: { ...world.bot.env, BOT_SITE: `http://127.0.0.1:${port}` },
    });
    await expect(nobody).rejects.toThrow(
      /^There is no chat server at http\S+, [^\n]*does it run\?\n$/,
    );
    const unknown = world.connect({ args: ['--channels', 'nope'] });
    await expect(unknown).rejects.toThrow(/^The bot sees no channel "nope": [^\n]+\n$/);
    const partly = world.connect({ env: { BOT_EMAIL: 'b@x.test' } });
    await expect(partly).rejects.toThrow(
      /^The environment has no BOT_SITE, no BOT_API_KEY: [^\n]+\n$/,
    );
  });

  test('that is taken away later, and a server that is gone, are told to the model', async () => {
    await using stack = new AsyncDisposableStack();
    const other = stack.use(await startMcpChat());
    await using mcp = await other.connect();
    expect(namesOf(await mcp.call('list_channels'), 'channels')).toEqual(['lunch', 'ops']);
    await other.chat.people.hamlet.client.bots.regenerateApiKey({ bot_id: other.bot.id });
    await expect
      .poll(() => mcp.call('list_people').catch((error: Error) => error.message))
      .toMatch(/no longer accepts the login of this bot/);
    await stack.disposeAsync();
    const post = { channel: 'ops', topic: 'a', content: 'x' };
    await expect(mcp.call('send_message', post)).rejects.toThrow(/may have happened or not/);
    await expect(mcp.call('list_people')).rejects.toThrow(/cannot be reached/);
    expect(mcp.logged().map((line) => JSON.parse(line))).toMatchObject([{ outcome: 'unknown' }]);
  });

  test('ends with its client, and prints nothing but messages of the protocol on stdout', async () => {
    const child = spawn(process.execPath, [bin, 'mcp'], {
      env: { ...process.env, ...world.bot.env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    );
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    while (!printed.endsWith('\n')) await once(child.stdout, 'data');
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(JSON.parse(printed)).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'bellhop' } },
    });
  });

  test('starts as the configuration in docs/mcp.md says', async () => {
    const page = pageText('docs/mcp.md');
    const json = /^ *```json\n([^]*?)```/m.exec(page)?.[1] ?? '';
    const { mcpServers } = JSON.parse(json) as {
      mcpServers: { chat: { command: string; args: string[] } };
    };
    const { command, args } = mcpServers.chat;
    const file = join(folder, 'helper.env');
    const entries = Object.entries(parseEnv(block('docs/mcp.md', 'BOT_SITE'))).map(
      ([name]) => `${name}=${world.bot.env[name]}\n`,
    );
    await writeFile(file, entries.join(''));
    await using mcp = await connectMcp({
      command: command.replace('/home/you/bellhop', root),
      args: args.map((one) => (one === '/home/you/helper.env' ? file : one)),
    });
    expect(mcp.client.getInstructions()).toContain('"Helper"');
  });
});
