import { setTimeout as sleep } from 'node:timers/promises';

import { createClient, eventStream } from '@bellhop/client';
import { z } from 'zod';

import { complain, Complaint, type Command } from './command.ts';
import { runningSandbox } from './sandbox/running-sandbox.ts';
import type { SandboxFile } from './sandbox/sandbox-file.ts';

export const tryCommand: Command = {
  usage: 'message [text] | push',
  help: `message [text]  sends the echo bot a direct message and shows its reply
push            sends an encrypted test notification and shows what each phone decrypted

Reads .bellhop/sandbox.json (or BELLHOP_DATA_DIR), which a running sandbox writes.`,
  takesWords: true,
  async run({ words: [what = '', ...rest] }) {
    const attempt = attempts[what];
    if (!attempt)
      throw new Complaint('Say what to try: "bellhop try message" or "bellhop try push".');
    const dataDir = process.env['BELLHOP_DATA_DIR'] || '.bellhop';
    const file = await runningSandbox(dataDir);
    if (!file)
      throw new Complaint(
        `There is no running sandbox in ${dataDir}: start one with "npm start" and try again in a second shell.`,
      );
    await attempt(file, rest.join(' ')).catch(complain);
    return 0;
  },
};

const attempts: Readonly<Record<string, (file: SandboxFile, text: string) => Promise<void>>> = {
  message: (file, text) => tryMessage(file, text || 'Hello, bot'),
  push: (file) => tryPush(file),
};

const PATIENCE_MS = 20_000;

/** The person who owns the phones, as the sandbox chose. */
function personIn({ users, devices, base_url }: SandboxFile) {
  const person = users.find(({ user_id }) => user_id === devices[0]?.user_id) ?? users[0];
  if (!person)
    throw new Complaint('The sandbox has no users: remove its data directory and start again.');
  const { email, api_key, full_name } = person;
  return { full_name, client: createClient({ url: base_url, email, apiKey: api_key }) };
}

const MessageFromBot = z.object({
  type: z.literal('message'),
  message: z.object({ sender_id: z.int(), sender_full_name: z.string(), content: z.string() }),
});

async function tryMessage(file: SandboxFile, text: string): Promise<void> {
  const { client, full_name } = personIn(file);
  const [bot] = file.bots;
  if (!bot)
    throw new Complaint('The sandbox has no bot: remove its data directory and start again.');
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let sent = 0;
  for await (const item of eventStream(client, { event_types: ['message'] }, { signal })) {
    if (item.kind === 'registered') {
      sent = performance.now();
      await client.messages.send({ type: 'direct', to: [bot.user_id], content: text });
      console.log(`${full_name}: ${text}`);
      continue;
    }
    const event = MessageFromBot.safeParse(item.event).data;
    if (event?.message.sender_id !== bot.user_id) continue;
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
  const { client, full_name } = personIn(file);
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
