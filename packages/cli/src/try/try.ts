import { setTimeout as sleep } from 'node:timers/promises';

import { type Client, createClient, eventStream } from '@bellhop/client';
import type { UserId } from '@bellhop/protocol';
import { z } from 'zod';

import { complain, Complaint, type Command } from '../command-line/command.ts';
import { findSandbox, sandboxDirectories } from '../sandbox/find-sandbox.ts';
import { personIn } from '../sandbox/person-in.ts';
import type { SandboxFile } from '../sandbox/sandbox-file.ts';

export const tryCommand: Command = {
  usage: 'message [text] [--to BOT] | push',
  help: `message [text]  sends the echo bot a direct message and shows its reply
push            sends an encrypted test notification and shows what each phone decrypted

  --to BOT        another bot, by its name or its e-mail address

Reads .bellhop/sandbox.json (or BELLHOP_DATA_DIR), which a running sandbox writes.`,
  takesWords: true,
  options: { to: { type: 'string' } },
  async run({ words: [what = '', ...rest], options: { to } }) {
    const attempt = attempts[what];
    if (!attempt)
      throw new Complaint('Say what to try: "bellhop try message" or "bellhop try push".');
    const file = await findSandbox();
    if (!file)
      throw new Complaint(
        `There is no running sandbox in ${sandboxDirectories()[0]}: start one with "npm start" and try again in a second shell.`,
      );
    const said = { text: rest.join(' '), to: typeof to === 'string' ? to : undefined };
    await attempt(file, said).catch(complain);
    return 0;
  },
};

interface Asked {
  readonly text: string;
  /** The name or the address of a bot; the sandbox's own when left out. */
  readonly to: string | undefined;
}

const attempts: Readonly<Record<string, (file: SandboxFile, asked: Asked) => Promise<void>>> = {
  message: tryMessage,
  push: (file) => tryPush(file),
};

const PATIENCE_MS = 20_000;

function clientIn(file: SandboxFile) {
  const { email, api_key, full_name } = personIn(file);
  return { full_name, client: createClient({ url: file.base_url, email, apiKey: api_key }) };
}

async function botIn(file: SandboxFile, client: Client, to: string | undefined): Promise<UserId> {
  if (to !== undefined) {
    const { members } = await client.users.list({});
    const bot = members.find(
      ({ is_bot, email, full_name }) => is_bot && [email, full_name].includes(to),
    );
    if (bot) return bot.user_id;
    throw new Complaint(`The sandbox has no bot ${to}.`);
  }
  const [bot] = file.bots;
  if (bot) return bot.user_id as UserId;
  throw new Complaint('The sandbox has no bot: remove its data directory and start again.');
}

const MessageFromBot = z.object({
  type: z.literal('message'),
  message: z.object({ sender_id: z.int(), sender_full_name: z.string(), content: z.string() }),
});

async function tryMessage(file: SandboxFile, asked: Asked): Promise<void> {
  const text = asked.text || 'Hello, bot';
  const { client, full_name } = clientIn(file);
  const bot = await botIn(file, client, asked.to);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let sent = 0;
  for await (const item of eventStream(client, { event_types: ['message'] }, { signal })) {
    if (item.kind === 'registered') {
      sent = performance.now();
      await client.messages.send({ type: 'direct', to: [bot], content: text });
      console.log(`${full_name}: ${text}`);
      continue;
    }
    const event = MessageFromBot.safeParse(item.event).data;
    if (event?.message.sender_id !== bot) continue;
    console.log(`${event.message.sender_full_name}: ${event.message.content}`);
    console.log(`(${Math.round(performance.now() - sent)} ms from message to reply)`);
    return;
  }
  throw new Complaint(`No reply within ${PATIENCE_MS / 1000} s: see what the sandbox logs.`);
}

const Phones = z.array(
  z.object({
    name: z.string(),
    token_kind: z.string(),
    inbox: z.array(z.object({ seq: z.int(), payload: z.unknown(), encrypted_data: z.string() })),
  }),
);

async function tryPush(file: SandboxFile): Promise<void> {
  const { client, full_name } = clientIn(file);
  const look = async () => Phones.parse(await (await fetch(`${file.console_url}/phones`)).json());
  const before = new Map((await look()).map(({ name, inbox }) => [name, inbox.length]));
  await client.devices.testNotification({});
  console.log(`${full_name} asked for a test notification on every phone.`);
  const missing = new Set(before.keys());
  for (const start = performance.now(); missing.size > 0; await sleep(50)) {
    if (performance.now() - start > PATIENCE_MS)
      throw new Complaint(
        `Nothing arrived on: ${[...missing].join(', ')}. See what the sandbox logs.`,
      );
    for (const { name, token_kind, inbox } of await look()) {
      const got = inbox[before.get(name) ?? 0];
      if (!got || !missing.delete(name)) continue;
      console.log(`\n${name} (${token_kind}) received ${got.encrypted_data.slice(0, 40)}...`);
      console.log(`and decrypted ${JSON.stringify(got.payload)}`);
    }
  }
}
