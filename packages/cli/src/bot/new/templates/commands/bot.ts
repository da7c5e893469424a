import { type BotOptions, createBot, start } from '@bellhop/bot';

/** Answers commands. `help` lists them. */
export default function makeBot(options: BotOptions) {
  return createBot(options)
    .command('ping', { about: 'Check that the bot runs' }, () => 'pong')
    .command('roll [dice:int=1] [--sides:int=6]', { about: 'Throw dice' }, ({ args }) => {
      const roll = () => 1 + Math.floor(Math.random() * args.sides);
      return `You rolled ${Array.from({ length: args.dice }, roll).join(', ')}.`;
    })
    .on('mention', () => 'I only know commands: say `help`.')
    .hears(/\b(?:hello|hi)\b/i, (ctx) => `Hello, ${ctx.message.sender.fullName}!`);
}

if (import.meta.main) await start(makeBot);
