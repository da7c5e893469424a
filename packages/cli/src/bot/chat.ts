import { createInterface } from 'node:readline/promises';

import type { Command } from '../command-line/command.ts';
import { complainOfBot } from './bot-error.ts';
import { botPath, frameworkOf, loadBot } from './bot-module.ts';
import { terminalChat } from './chat/terminal-chat.ts';
import { environmentBeside } from './environment-beside.ts';

export const chatCommand: Command = {
  usage: '[bot.ts] [--name NAME]',
  help: `A conversation with a bot in the terminal: no server, no network, no account. What you type is a
direct message to it; lines that begin with a slash do something else:

  /channel NAME TOPIC   go on in a channel, where the bot is mentioned by itself
  /direct               back to direct messages
  /as NAME              go on as somebody else
  /wait 10m             let time pass for the bot, in s, m, h or d
  /quit                 end, as Ctrl-D

The .env beside the bot is read. Works with piped input too.

  --name NAME   what the bot is called; Bot`,
  takesWords: true,
  options: { name: { type: 'string' } },
  async run({ words, options }) {
    const path = await botPath(words);
    Object.assign(process.env, environmentBeside(path, process.env));
    const [makeBot, { chat }] = [
      await loadBot(path),
      await frameworkOf(path, '@bellhop/bot/testing'),
    ];
    const { name } = options;
    const open = async () => chat(makeBot, typeof name === 'string' ? { name } : {});
    const talk = terminalChat(await open().catch(complainOfBot(path)));
    const isTerminal = process.stdin.isTTY === true;
    if (isTerminal) console.log('Say something. /help lists what else there is.\n');
    const lines = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: isTerminal,
    });
    const prompt = () => {
      if (!isTerminal) return;
      lines.setPrompt(`${talk.prompt()} `);
      lines.prompt();
    };
    prompt();
    for await (const line of lines) {
      if (!(await talk.enter(line, { echo: !isTerminal }))) break;
      prompt();
    }
    lines.close();
    return talk.failed() ? 1 : 0;
  },
};
