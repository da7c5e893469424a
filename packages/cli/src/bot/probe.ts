import { styleText } from 'node:util';

import { type Finding, probe, type Verdict } from '@bellhop/bot-probe';

import { complain, Complaint, type Command } from '../command-line/command.ts';

export const botProbeCommand: Command = {
  usage: '<url> --email ADDRESS --token TOKEN [options]',
  help: `Sends the endpoint of a bot, written in any language, what a chat server sends and what
strangers may send: genuine, repeated, forged, malformed, huge and slow requests. Prints
what it did with each, and how to cure what is wrong. Exit code 1 where there are faults.

The bot really handles the genuine messages (about 20), so give it a test account. Nothing is
sent to any other address. Takes about half a minute.

  --email ADDRESS   the bot's e-mail address (or BOT_EMAIL)
  --token TOKEN     the token of its outgoing webhook (or BOT_TOKEN)
  --name NAME       its full name, as messages mention it
  --say TEXT        what the messages say; "hello" unless said otherwise
  --deadline SEC    how long a server waits for an answer; 10
  --slow SEC        how long slow and endless requests are kept up; 12
  --json            print the findings as JSON`,
  takesWords: true,
  options: {
    email: { type: 'string' },
    token: { type: 'string' },
    name: { type: 'string' },
    say: { type: 'string' },
    deadline: { type: 'string' },
    slow: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ words: [url, ...more], options }) {
    if (url === undefined || more.length > 0)
      throw new Complaint('Give one address: "bellhop bot probe http://127.0.0.1:3000/".');
    const text = (name: string) => {
      const value = options[name];
      return typeof value === 'string' ? value : undefined;
    };
    const bot_email = text('email') ?? process.env['BOT_EMAIL'];
    const token = text('token') ?? process.env['BOT_TOKEN'];
    if (!bot_email || !token)
      throw new Complaint("Give the bot's --email and its --token, as the server knows them.");
    const json = options['json'] === true;
    const findings = await probe(url, {
      bot_email,
      token,
      ...given('bot_full_name', text('name')),
      ...given('content', text('say')),
      ...given('deadlineMs', milliseconds('deadline', text('deadline'))),
      ...given('slowMs', milliseconds('slow', text('slow'))),
      ...(json ? {} : { onFinding: printer() }),
    }).catch(complain);
    if (json) console.log(JSON.stringify(findings, null, 2));
    else console.log(`\n${summary(findings)}`);
    return findings.some(({ verdict }) => verdict === 'fault') ? 1 : 0;
  },
};

const given = <K extends string, V>(name: K, value: V | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in K]?: V };

function milliseconds(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!(seconds > 0)) throw new Complaint(`--${name} takes a number of seconds, not "${text}".`);
  return seconds * 1000;
}

const looks: Readonly<Record<Verdict, 'green' | 'yellow' | 'red'>> = {
  ok: 'green',
  warning: 'yellow',
  fault: 'red',
};
const CHECK = 52;
const INDENT = ' '.repeat(10);

/** Prints findings as they come, under the name of their group; the same advice not twice in a row. */
function printer(): (finding: Finding) => void {
  let last = '';
  let advised = '';
  return ({ group, check, happened, verdict, advice }) => {
    if (group !== last) console.log(`\n${group}`);
    last = group;
    const word = styleText(looks[verdict], verdict.padEnd(8));
    console.log(`  ${word}${check.padEnd(CHECK)} ${happened}`);
    if (advice !== '' && advice !== advised) console.log(`${INDENT}${styleText('dim', advice)}`);
    if (advice !== '') advised = advice;
  };
}

function summary(findings: readonly Finding[]): string {
  const count = (wanted: Verdict) => findings.filter(({ verdict }) => verdict === wanted).length;
  const faults = count('fault');
  return `${findings.length} checks: ${count('ok')} ok, ${count('warning')} warnings, ${faults} faults. What happens inside the bot, and what it does by REST, cannot be seen from here.`;
}
