import {
  type BotOptions,
  type Conversation,
  createBot,
  type PastMessage,
  start,
  type StreamSource,
  type WorkContext,
} from '@bellhop/bot';
import { z } from 'zod';

interface Roster {
  /** The person on duty comes first, the one after them next. */
  people: { id: number; name: string }[];
}

/** Summarizes the messages of an incident: a call of a model, for example. */
type Summarize = (messages: readonly PastMessage[], signal: AbortSignal) => StreamSource;

interface Alert {
  readonly what: string;
  /** Where somebody has raised it. */
  readonly from: Conversation;
  /** The place in the roster of the person who is paged. */
  readonly place: number;
}

/** Where the bot announces who is on duty, and pages them. */
const ROOM = { channel: 'ops', topic: 'on call' };

/** A model by script: it names the senders, the number of messages and the last one. */
async function* firstAndLast(messages: readonly PastMessage[]) {
  const said = messages.filter(({ isOwn }) => !isOwn);
  const names = new Set(said.map(({ sender }) => sender.fullName));
  yield { status: 'Reading the topic' };
  yield `${said.length} messages of ${[...names].join(' and ') || 'nobody'}.`;
  for (const { sender, text } of said.slice(-1)) yield ` ${sender.fullName} said last: ${text}`;
}

/** Asks one person of the roster after the other to take an alert, until somebody does. */
async function page({ changeSession, choose, post }: WorkContext<Roster>, alert: Alert) {
  const { what, from, place } = alert;
  const person = await changeSession(({ people }) => people[place]);
  if (!person) return post(`:rotating_light: Nobody takes it: ${what}`, ROOM);
  return choose(
    'alert',
    `:rotating_light: ${what}\n@**${person.name}|${person.id}**, do you take it?`,
    {
      to: ROOM,
      options: ['I take it', 'Next, please'],
      by: [person.id],
      timeoutMs: 5 * 60_000,
      data: { what, from: { ...from }, place },
    },
  );
}

const dutyOf = ({ people: [now, next] }: Roster) =>
  now ? `${now.name} is on call${next ? `, then ${next.name}` : ''}.` : 'Nobody is on call.';

export default function makeBot(options: BotOptions, summarize: Summarize = firstAndLast) {
  const bot = createBot({
    ...options,
    session: { scope: 'bot', initial: (): Roster => ({ people: [] }) },
  });

  bot.command('duty', { about: 'Who is on call' }, ({ session }) => dutyOf(session));

  bot.command('join', { about: 'Join the roster' }, ({ session, message: { sender } }) => {
    if (session.people.some(({ id }) => id === sender.id)) return 'You are in the roster already.';
    session.people.push({ id: sender.id, name: sender.fullName });
    return dutyOf(session);
  });

  bot.command('leave', { about: 'Leave the roster' }, ({ session, message: { sender } }) => {
    session.people = session.people.filter(({ id }) => id !== sender.id);
    return dutyOf(session);
  });

  // The swap needs the approval of the person who would take over.
  bot.command('swap', { about: 'Ask the next person to take over' }, (ctx) => {
    const [now, next] = ctx.session.people;
    if (now?.id !== ctx.message.sender.id) return 'Only the person on call can ask for a swap.';
    if (!next) return 'There is nobody to swap with.';
    return ctx.choose('swap', `${next.name}, do you take over from ${now.name}?`, {
      options: ['Yes, I do', 'No'],
      by: [next.id],
      timeoutMs: 15 * 60_000,
      data: { from: now.id, to: next.id },
    });
  });
  bot.choice<{ from: number; to: number }>(
    'swap',
    ({ session }, { option, data }) => {
      const [now, next] = session.people;
      if (option === 'No') return 'All right, nothing changes.';
      if (now?.id !== data.from || next?.id !== data.to) return 'The roster has changed meanwhile.';
      session.people.splice(0, 2, next, now);
      return dutyOf(session);
    },
    {
      timedOut: ({ question, conversation, post }) =>
        post(`No answer to "${question}"`, conversation),
    },
  );

  // Buttons in the channel of those on call; without an answer the next person gets them.
  bot.command('alert <what...>', { about: 'Page the person on call' }, async (ctx) => {
    const alert = { what: ctx.args.what, from: { ...ctx.conversation }, place: 0 };
    await ctx.later('page', 0, alert);
    return 'I page the person on call.';
  });
  bot.task<Alert>('page', (work) => page(work, work.data));
  bot.choice<Alert>(
    'alert',
    async (ctx, { option, data: { what, from, place } }) => {
      const alert = { what, from: { ...from }, place: place + 1 };
      if (option === 'Next, please') await ctx.later('page', 0, alert);
      else await ctx.post(`${ctx.by.fullName} takes it: ${what}`, from);
    },
    { timedOut: (missed) => page(missed, { ...missed.data, place: missed.data.place + 1 }) },
  );

  // The answers need no mention, also in a channel.
  bot.command('incident', { about: 'Report an incident' }, (ctx) => ctx.begin('incident'));
  bot.dialog(
    'incident',
    {
      what: { ask: 'What is broken?', schema: z.string().max(200) },
      severity: {
        ask: 'How bad is it, from 1 to 3?',
        schema: z.coerce.number().int().min(1).max(3),
        retry: 'A number from 1 to 3, please.',
      },
    },
    async (ctx, { what, severity }) => {
      const [onCall] = ctx.session.people;
      await ctx.subscribe({ forMs: 24 * 3_600_000 });
      const who = onCall ? `@**${onCall.name}|${onCall.id}**` : 'Nobody is on call';
      return `:rotating_light: Severity ${severity}: ${what}. ${who}, please have a look.`;
    },
  );
  bot.on('follow_up', async (ctx) => {
    if (/^resolved[.!]*$/i.test(ctx.text)) await ctx.thread.resolve();
  });

  bot.command('summary', { about: 'What happened in this topic' }, async (ctx) =>
    ctx.stream(summarize(await ctx.history(200), ctx.signal)),
  );

  // Monday, nine o'clock: the next person is on call.
  bot.every(
    '0 9 * * 1',
    { name: 'hand-over', timezone: 'UTC' },
    async ({ changeSession, post }) => {
      const duty = await changeSession((roster) => {
        roster.people.push(...roster.people.splice(0, 1));
        return dutyOf(roster);
      });
      await post(duty, ROOM);
    },
  );
  return bot;
}

if (import.meta.main) await start(makeBot);
