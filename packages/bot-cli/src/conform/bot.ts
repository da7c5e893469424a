import { type Finding, probe as probeBot } from '@bellhop/bot-probe';

import { defineCommand } from '../command-line/command.ts';
import { countOf, findingPrinter } from '../command-line/finding-printer.ts';
import { argument, switchFlag, textFlag, valueFlag } from '../command-line/flags.ts';
import { parseHttpUrl, parseSeconds } from '../command-line/parse-flag.ts';
import { rethrowAsUserError, UsageError } from '../command-line/user-error.ts';

export const conformBotCommand = defineCommand({
  description: `Sends the endpoint of a bot, written in any language, what a chat server sends and what
strangers may send: genuine, repeated, forged, malformed, huge and slow requests. Prints what it did
with each, and how to cure what is wrong. The exit code is 1 if there are faults.

The bot really handles the genuine messages (about 20), so give it a test account. Nothing is sent to
any other address. Takes about half a minute.`,
  flags: {
    email: textFlag("The bot's e-mail address (or BOT_EMAIL)", 'e-mail'),
    token: textFlag('The token of its outgoing webhook (or BOT_TOKEN)', 'token'),
    name: textFlag('Its full name, as messages mention it', 'name'),
    say: textFlag('The content of the messages; "hello" if left out', 'text'),
    deadline: valueFlag(
      'How long a server waits for an answer; 10 if left out',
      'seconds',
      parseSeconds,
    ),
    slow: valueFlag(
      'How long slow and endless requests last; 12 if left out',
      'seconds',
      parseSeconds,
    ),
    json: switchFlag('Print the findings as JSON'),
  },
  args: [argument('url', "The address of the bot's endpoint", parseHttpUrl)],
  async run({ name, say, deadline, slow, json, ...credentials }, url) {
    const botEmail = credentials.email ?? process.env['BOT_EMAIL'];
    const token = credentials.token ?? process.env['BOT_TOKEN'];
    if (!botEmail || !token)
      throw new UsageError("Give the bot's --email and its --token, as the server knows them.");
    const findings = await probeBot(url, {
      botEmail,
      token,
      ...(name === undefined ? {} : { botFullName: name }),
      ...(say === undefined ? {} : { content: say }),
      ...(deadline === undefined ? {} : { deadlineMs: deadline }),
      ...(slow === undefined ? {} : { slowMs: slow }),
      ...(json
        ? {}
        : { onFinding: findingPrinter({ checkWidth: 52, adviceOf: ({ advice }) => advice }) }),
    }).catch(rethrowAsUserError);
    console.log(json ? JSON.stringify(findings, null, 2) : `\n${summaryOf(findings)}`);
    return findings.some(({ severity }) => severity === 'fault') ? 1 : 0;
  },
});

/** Counts the findings and names the limits of a probe. */
const summaryOf = (findings: readonly Finding[]): string =>
  `${findings.length} checks: ${countOf(findings, 'ok')} ok, ${countOf(findings, 'warning')} warnings, ${countOf(findings, 'fault')} faults. ` +
  'The probe cannot see what happens inside the bot, nor what it does by REST.';
