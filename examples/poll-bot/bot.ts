import { type BotOptions, createBot, start } from '@bellhop/bot';

interface Poll {
  /** The id of the message that shows the poll. */
  readonly message: number;
  readonly question: string;
  readonly choices: readonly string[];
  /** The index of the choice by user id. */
  readonly votes: Record<string, number>;
}

/** The emoji of the choices: a reaction with one is a vote. */
const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/**
 * Runs one poll in each conversation. A vote, by a command or by a reaction to the
 * poll, edits the message that shows it.
 */
export default function makeBot(options: BotOptions) {
  const initial = (): { poll?: Poll } => ({});
  return createBot({ ...options, session: { scope: 'conversation', initial } })
    .command('poll <question> <choices:string...>', { about: 'Ask everybody' }, async (ctx) => {
      if (ctx.session.poll) return 'One poll at a time: `close` the other first.';
      const poll = { ...ctx.args, votes: {} };
      const { id } = await ctx.post(render(poll));
      ctx.session.poll = { ...poll, message: id };
      return undefined;
    })
    .command('vote <number:int>', { about: 'Vote, or change your vote' }, async (ctx) => {
      const { poll } = ctx.session;
      const choice = ctx.args.number - 1;
      if (!poll) return 'There is no poll here. Begin one: `poll "Lunch?" pizza soup`';
      if (!poll.choices[choice]) return `A number from 1 to ${poll.choices.length}, please.`;
      poll.votes[ctx.message.sender.id] = choice;
      await ctx.edit(poll.message, render(poll));
      return ctx.react('check');
    })
    .on('reaction', async ({ session: { poll }, message, reaction, by, edit }) => {
      const choice = numbers.indexOf(reaction.emoji);
      if (poll?.message !== message.id || reaction.isRemoved || !poll.choices[choice]) return;
      poll.votes[by.id] = choice;
      await edit(poll.message, render(poll));
    })
    .command('close', { about: 'End the poll' }, async (ctx) => {
      const { poll } = ctx.session;
      if (!poll) return 'There is no poll here.';
      ctx.session = {};
      await ctx.edit(poll.message, `${render(poll)}\n\nThis poll is closed.`);
      return `The poll is closed.\n\n${render(poll)}`;
    });
}

function render({ question, choices, votes }: Omit<Poll, 'message'>): string {
  const count = (choice: number) => Object.values(votes).filter((vote) => vote === choice).length;
  const lines = choices.map((text, choice) => `${choice + 1}. ${text}: ${count(choice)}`);
  return `**${question}**\n\n${lines.join('\n')}`;
}

if (import.meta.main) await start(makeBot);
