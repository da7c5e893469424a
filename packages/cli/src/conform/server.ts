import {
  choiceFlag,
  defineCommand,
  type FlagValues,
  optionalArgument,
  parseHttpUrl,
  switchFlag,
  textFlag,
  UserError,
  valueFlag,
} from '@bellhop/bot-cli/command-line';
import { requireSandbox } from '@bellhop/bot-cli/sandbox';
import { PushGeneration, roles } from '@bellhop/protocol';
import { conformServer, type ServerOptions } from '@bellhop/push-conform';

import { requireSimulator, simulatorFlags } from '../simulator/control-client.ts';
import { adviseStart } from './cannot-start.ts';
import { parseBouncerKey } from './parse-bouncer-key.ts';
import { conformPrinter, reportFindings } from './print-findings.ts';

const flags = {
  generation: choiceFlag(
    'Only phones of this form of encrypted push: account of levels 406 to 467, device of level 468 and later',
    PushGeneration.options,
  ),
  email: textFlag('The user whose phones it plays', 'e-mail'),
  apiKey: textFlag('Their API key (or BELLHOP_API_KEY)', 'key'),
  senderEmail: textFlag('Somebody who may send the user direct messages', 'e-mail'),
  senderApiKey: textFlag("The sender's API key (or BELLHOP_SENDER_API_KEY)", 'key'),
  bouncerKey: valueFlag(
    "The bouncer's public key, which apps have built in",
    'base64',
    parseBouncerKey,
  ),
  ...simulatorFlags,
  json: switchFlag('Print the findings as JSON'),
};
type Flags = FlagValues<typeof flags>;

export const conformServerCommand = defineCommand({
  description: `Plays phones against a chat server of the protocol: good and bad registrations, their states
and events, notifications and what is in them, sizes, new keys and tokens, removals, logouts, uninstalled
apps. It plays both generations of phones that the server has. Prints what the server did with each, and
the section of docs/push/protocol.md that a fault breaks. The exit code is 1 if there are faults.

Without an address it checks the server of a running sandbox. Any other server needs the login of a test
user, the public key of its bouncer, and the simulator that the bouncer sends to. With a second account,
the sender, it also checks pushes of messages: the sender sends the user a few direct messages.`,
  flags,
  args: [optionalArgument('url', 'The address of the chat server', parseHttpUrl)],
  async run({ json, generation, ...flags }, url) {
    const target = url === undefined ? await sandboxTarget() : await targetAt(url, flags);
    const findings = await conformServer(target.url, {
      ...target,
      ...(generation ? { generation } : {}),
      ...(json ? {} : { onFinding: conformPrinter() }),
    }).catch(
      adviseStart({
        service: 'Is this its address, and does it run?',
        user: 'Give --email and --api-key (or BELLHOP_API_KEY) of one account.',
        sender:
          'Give --sender-email and --sender-api-key (or BELLHOP_SENDER_API_KEY) of one account, or neither.',
      }),
    );
    return reportFindings(findings, json);
  },
});

type Target = ServerOptions & { readonly url: string };

/** The sandbox with one of its users who has no other phones. */
async function sandboxTarget(): Promise<Target> {
  const {
    base_url: url,
    bouncer_public_key: bouncerPublicKey,
    simulator,
    users,
    devices,
  } = await requireSandbox();
  const owners = new Set(devices.map(({ user_id }) => user_id));
  const free = users.filter(({ user_id, role }) => !owners.has(user_id) && role !== roles.guest);
  const [user, sender] = free.map(({ email, api_key }) => [email, api_key] as const);
  if (!user || !sender) throw new UserError('The sandbox has too few users without phones.');
  return { url, user, sender, bouncerPublicKey, simulator };
}

async function targetAt(url: string, flags: Omit<Flags, 'json' | 'generation'>): Promise<Target> {
  const { email, senderEmail, bouncerKey: bouncerPublicKey } = flags;
  const { BELLHOP_API_KEY, BELLHOP_SENDER_API_KEY } = process.env;
  const apiKey = flags.apiKey ?? BELLHOP_API_KEY;
  const senderKey = flags.senderApiKey ?? BELLHOP_SENDER_API_KEY;
  if (!email || !apiKey || !bouncerPublicKey)
    throw new UserError('With an address give also --email, --api-key and --bouncer-key.');
  const simulator = await requireSimulator(flags);
  const sender = senderEmail && senderKey ? ([senderEmail, senderKey] as const) : undefined;
  return {
    url,
    user: [email, apiKey],
    bouncerPublicKey,
    simulator,
    ...(sender ? { sender } : {}),
  };
}
