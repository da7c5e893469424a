import { type Client, eventStream } from '@bellhop/client';
import { FAILURE_MARK, type UserId, WAIT_NOTICE } from '@bellhop/protocol';
import { z } from 'zod';

import {
  botsOfSandbox,
  loginHelp,
  loginOfEnvironment,
  type OwnBot,
  ownBots,
} from '../bot/deliveries/logins.ts';
import { defineCommand } from '../command-line/command.ts';
import { argument, textFlag } from '../command-line/flags.ts';
import { terminalText } from '../command-line/terminal-text.ts';
import { rethrowAsUserError, UserError } from '../command-line/user-error.ts';
import { requireSandbox } from '../sandbox-file/find-sandbox.ts';
import { sandboxClient } from '../sandbox-file/sandbox-client.ts';
import { failedOutcome } from './failed-outcome.ts';

export const message = defineCommand({
  description: `Sends it as the person who owns the phones of the sandbox, to its echo bot unless --to names another.

${loginHelp}`,
  flags: { to: textFlag('The bot: its name or its e-mail address', 'bot') },
  args: { each: argument('text', 'The message; "Hello, bot" if left out') },
  async run({ to }, ...words) {
    const asker = (await ownAsker().catch(rethrowAsUserError)) ?? (await askerOnSandbox());
    await askBot(asker, to, words.join(' ') || 'Hello, bot').catch(rethrowAsUserError);
  },
});

/** Who asks the bot, and what they know of the bots there. */
interface Asker {
  /** The chat server, at the beginning of a sentence. */
  readonly place: string;
  readonly client: Client;
  readonly full_name: string;
  /** The bot that is asked if none is named. */
  readonly echoBot: UserId | undefined;
  readonly ownBots: () => Promise<readonly OwnBot[]>;
}

async function ownAsker(): Promise<Asker | undefined> {
  const login = loginOfEnvironment();
  if (!login) return undefined;
  const { site, client } = login;
  const { full_name } = await client.users.me();
  return { place: site, client, full_name, echoBot: undefined, ownBots };
}

async function askerOnSandbox(): Promise<Asker> {
  const sandbox = await requireSandbox(
    ' For another chat server, set BELLHOP_SITE, BELLHOP_EMAIL and BELLHOP_API_KEY.',
  );
  const { client, full_name } = sandboxClient(sandbox);
  return {
    place: 'The sandbox',
    client,
    full_name,
    echoBot: sandbox.bots[0]?.user_id as UserId | undefined,
    ownBots: () => botsOfSandbox(sandbox),
  };
}

const PATIENCE_MS = 20_000;
/** The types of bots that may answer: generic, by the event queue, and outgoing webhook. */
const ANSWERING: readonly (number | null | undefined)[] = [1, 3];

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
async function askBot(asker: Asker, to: string | undefined, text: string): Promise<void> {
  const { client, full_name } = asker;
  const bot = await botFor(asker, to);
  const bots = await asker.ownBots();
  const isOver = new AbortController();
  const signal = AbortSignal.any([isOver.signal, AbortSignal.timeout(PATIENCE_MS)]);
  let sentAt = 0;
  let outcome: Promise<string | undefined> = Promise.resolve(undefined);
  for await (const item of eventStream(client, { event_types: ['message'] }, { signal })) {
    if (item.kind === 'registered') {
      sentAt = performance.now();
      const { id } = await client.messages.send({ type: 'direct', to: [bot], content: text });
      console.log(`${full_name}: ${text}`);
      outcome = failedOutcome(bots, { bot, message_id: id, signal });
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

/** The bot with this name or e-mail address, or the echo bot. */
async function botFor(
  { place, client, echoBot }: Asker,
  named: string | undefined,
): Promise<UserId> {
  if (named === undefined && echoBot !== undefined) return echoBot;
  const { members } = await client.users.list({});
  const known = members.filter(({ is_bot }) => is_bot);
  const bot = known.find(({ email, full_name }) => [email, full_name].includes(named ?? ''));
  if (bot) return bot.user_id;
  const names = known.filter(({ bot_type }) => ANSWERING.includes(bot_type));
  const has = `it has ${names.map(({ full_name }) => full_name).join(', ') || 'none yet'}.`;
  throw new UserError(
    named === undefined
      ? `Name a bot of ${place} by --to: ${has}`
      : `${place} has no bot ${named}: ${has}`,
  );
}
