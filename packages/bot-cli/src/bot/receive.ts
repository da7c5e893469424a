import { readFile } from 'node:fs/promises';

import { defineCommand } from '../command-line/command.ts';
import { proposeFiles } from '../command-line/file-completion.ts';
import { argument, switchFlag } from '../command-line/flags.ts';
import { UserError } from '../command-line/user-error.ts';
import { environmentBeside } from '../environment-beside.ts';
import { botModule, botPath, frameworkOf, loadBot, rethrowBotError } from './bot-module.ts';
import { printChatMessage, printFailure } from './print-chat.ts';
import { receivePayload } from './receive-payload.ts';

export const receive = defineCommand({
  description: `Prints the conversation as people see it, and the JSON that answers the server. Nothing is sent
anywhere: what the bot does by REST stays in memory. The exit code is 1 if the handler fails or the file
holds no such message.

The file holds what a server posts to an outgoing webhook; "bellhop bot dev --record DIR" writes such
files. Reads the .env beside the bot.`,
  flags: { json: switchFlag('Print only the JSON that answers the server') },
  args: [
    { ...argument('file', 'The recorded message'), proposeCompletions: proposeFiles('.json') },
    botModule,
  ],
  async run({ json }, file, module) {
    const path = await botPath(module);
    const payload = await readJson(file);
    Object.assign(process.env, environmentBeside(path, process.env));
    const makeBot = await loadBot(path);
    const internals = await frameworkOf(path, '@bellhop/bot/internals');
    const { answer, said, uploads, failures } = await receivePayload(
      internals,
      makeBot,
      payload,
    ).catch(rethrowBotError(path));
    if (json) console.log(answer);
    else {
      for (const message of said) printChatMessage(message);
      for (const upload of uploads) console.log(`uploaded ${upload.name}, ${upload.size} bytes`);
      console.log(`\nanswer: ${answer}`);
    }
    for (const failure of failures) printFailure(failure, console.error);
    return failures.length > 0 ? 1 : 0;
  },
});

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(
      error.code === 'ENOENT' ? `There is no file ${file}.` : `${file}: ${error.message}`,
    );
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${(error as Error).message}`);
  }
}
