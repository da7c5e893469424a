import { readFile } from 'node:fs/promises';

import { Complaint, type Command } from '../command-line/command.ts';
import { complainOfBot } from './bot-error.ts';
import { botPath, frameworkOf, loadBot } from './bot-module.ts';
import { environmentBeside } from './environment-beside.ts';
import { printFailure, printSaid } from './print-said.ts';
import { replay } from './receive/replay.ts';

export const receiveCommand: Command = {
  usage: '<file.json> [bot.ts] [--json]',
  help: `Gives a recorded message to a bot and prints what people would see, and the JSON that answers
the server. Nothing is sent anywhere: what the bot does by REST is done in memory. Exit code 1
when its handler failed, or the file has no such message.

The file holds what a server posts to an outgoing webhook; "bellhop bot dev --record DIR" writes
such files. The .env beside the bot is read.

  --json   print the answer only, as it is`,
  takesWords: true,
  options: { json: { type: 'boolean' } },
  async run({ words: [file, ...others], options }) {
    if (file === undefined)
      throw new Complaint('Name the file of a message: "bellhop bot receive message.json".');
    const path = await botPath(others);
    const payload = await readJson(file);
    Object.assign(process.env, environmentBeside(path, process.env));
    const makeBot = await loadBot(path);
    const internals = await frameworkOf(path, '@bellhop/bot/internals');
    const { answer, said, uploads, failures } = await replay(internals, makeBot, payload).catch(
      complainOfBot(path),
    );
    if (options['json'] === true) console.log(answer);
    else {
      for (const one of said) printSaid(one);
      for (const upload of uploads) console.log(`uploaded ${upload.name}, ${upload.size} bytes`);
      console.log(`\nanswer: ${answer}`);
    }
    for (const failure of failures) printFailure(failure, console.error);
    return failures.length > 0 ? 1 : 0;
  },
};

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Complaint(
      error.code === 'ENOENT' ? `There is no file ${file}.` : `${file}: ${error.message}`,
    );
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Complaint(`${file} is not JSON: ${(error as Error).message}`);
  }
}
