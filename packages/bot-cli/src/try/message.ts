import { type Client, eventStream } from '@bellhop/client';
import { FAILURE_MARK, type UserId, WAIT_NOTICE } from '@bellhop/protocol';
import { z } from 'zod';

import { defineCommand } from '../command-line/command.ts';
import { argument, textFlag } from '../command-line/flags.ts';
import { terminalText } from '../command-line/terminal-text.ts';
import { rethrowAsUserError, UserError } from '../command-line/user-error.ts';
import { requireSandbox } from '../sandbox-file/find-sandbox.ts';
import { sandboxClient } from '../sandbox-file/sandbox-client.ts';
import type { SandboxFile } from '../sandbox-file/sandbox-file.ts';
import { failedOutcome } from './failed-outcome.ts';

export const message = defineCommand({
  description: `Reads .bellhop/sandbox.json (or BELLHOP_DATA_DIR), which a running sandbox writes.`,
  flags: { to: textFlag('Another bot, by its name or its e-mail address', 'bot') },
  args: { each: argument('text', 'The message; "Hello, bot" if left out') },
  async run({ to }, ...words) {
    const sandbox = await requireSandbox();
    await askBot(sandbox, to, words.join(' ') || 'Hello, bot').catch(rethrowAsUserError);
  },
});

const PATIENCE_MS = 20_000;
/** The type of a bot that answers by its webhook. */
const OUTGOING_WEBHOOK = 3;

const MessageEvent = z.object({
  type: z.literal('message'),
  message: z.object({
    type: z.string(),
    sender_id: z.int(),
    sender_full_name: z.string(),
    content: z.string(),
  }),
});

/**
 * Sends a bot a direct message and prints it with the reply, or with the reason why there is none.
 */
async function askBot(sandbox: SandboxFile, to: string | undefined, text: string): Promise<void> {
  const { client, full_name } = sandboxClient(sandbox);
  const bot = await botIn(sandbox, client, to);
  const isOver = new AbortController();
  const signal = AbortSignal.any([isOver.signal, AbortSignal.timeout(PATIENCE_MS)]);
  let sentAt = 0;
  let outcome: Promise<string | undefined> = Promise.resolve(undefined);
  for await (const item of eventStream(client, { event_types: ['message'] }, { signal })) {
    if (item.kind === 'registered') {
      sentAt = performance.now();
      const { id } = await client.messages.send({ type: 'direct', to: [bot], content: text });
      console.log(`${full_name}: ${text}`);
      outcome = failedOutcome(sandbox, { bot, message_id: id, signal });
      // A silent bot sends no reply, so there is nothing to wait for.
      void outcome.then((failed) => failed !== undefined && isOver.abort());
      continue;
    }
    const reply = MessageEvent.safeParse(item.event).data?.message;
    // The bot may post in channels meanwhile.
    if (reply?.sender_id !== bot || reply.type !== 'private') continue;
    console.log(terminalText(`${reply.sender_full_name}: ${reply.content}`));
    console.log(`(${Math.round(performance.now() - sentAt)} ms from message to reply)`);
    const hasFailed = reply.content.startsWith(FAILURE_MARK);
    // The outcome of a delivery that has failed is written with the notice; retries may take minutes.
    if (!hasFailed) isOver.abort();
    if (!hasFailed && reply.content !== WAIT_NOTICE) return;
    throw new UserError((await outcome) ?? 'The server could not deliver the message.');
  }
  throw new UserError(
    (await outcome) ?? `The bot has not replied within ${PATIENCE_MS / 1000} s: is it running?`,
  );
}

/** The sandbox's own bot, or the one with this name or e-mail address. */
async function botIn(
  { bots }: SandboxFile,
  client: Client,
  named: string | undefined,
): Promise<UserId> {
  if (named !== undefined) {
    const { members } = await client.users.list({});
    const known = members.filter(({ is_bot }) => is_bot);
    const bot = known.find(({ email, full_name }) => [email, full_name].includes(named));
    if (bot) return bot.user_id;
    const names = known.filter(({ bot_type }) => bot_type === OUTGOING_WEBHOOK);
    throw new UserError(
      `The sandbox has no bot ${named}: it has ${names.map(({ full_name }) => full_name).join(', ')}.`,
    );
  }
  const [bot] = bots;
  if (bot) return bot.user_id as UserId;
  throw new UserError('The sandbox has no bot: remove its data directory and start it again.');
}
