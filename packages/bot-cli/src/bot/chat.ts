import { createInterface } from 'node:readline/promises';

import { defineCommand } from '../command-line/command.ts';
import { textFlag } from '../command-line/flags.ts';
import { environmentBeside } from '../environment-beside.ts';
import { botModule, botPath, frameworkOf, loadBot, rethrowBotError } from './bot-module.ts';
import { terminalChat } from './chat/terminal-chat.ts';

export const chat = defineCommand({
  description: `A conversation with a bot: no server, no network, no account. What you type is a direct message
to the bot. What it remembers ends with the conversation. Lines that begin with a slash do something else; with two they are messages (//poll sends /poll):

  /channel NAME TOPIC   go on in a channel, where each message mentions the bot
  /direct               go back to direct messages
  /as NAME              go on as somebody else
  /wait 10m             let time pass for the bot, in s, m, h or d
  /quit                 end, as Ctrl-D

Reads the .env beside the bot. Works with piped input too.`,
  flags: { name: textFlag('The name of the bot; "Bot" if left out', 'name') },
  args: [botModule],
  async run({ name }, module) {
    const path = await botPath(module);
    Object.assign(process.env, environmentBeside(path, process.env));
    const makeBot = await loadBot(path);
    const testing = await frameworkOf(path, '@bellhop/bot/testing');
    const open = async () => testing.chat(makeBot, name === undefined ? {} : { name });
    const talk = terminalChat(await open().catch(rethrowBotError(path)));
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
});
