import {
  choiceFlag,
  defineCommand,
  type FlagValues,
  optionalArgument,
  parseHttpUrl,
  rethrowAsUserError,
  textFlag,
  UserError,
  valueFlag,
} from '@bellhop/bot-cli/command-line';
import { requireSandbox } from '@bellhop/bot-cli/sandbox';
import { PhoneName, PushGeneration, TokenKind } from '@bellhop/protocol';

import { parseBouncerKey } from '../conform/parse-bouncer-key.ts';
import type { PhoneEntry } from '../phones/phone-store.ts';
import { phonesHere } from '../phones/phones-here.ts';
import { Phones } from '../phones/phones.ts';
import { numbersOf } from '../phones/simulated-phone.ts';
import { requireSimulator, simulatorFlags } from '../simulator/control-client.ts';
import { sandboxOf } from './sandbox-of.ts';

type Login = Pick<PhoneEntry, 'server_url' | 'email' | 'api_key' | 'bouncer_public_key'>;

const flags = {
  kind: choiceFlag(
    'The push provider: fcm for Android, apns for an iPhone, webpush for a browser',
    TokenKind.options,
    'fcm',
  ),
  generation: choiceFlag(
    'The form of encrypted push: account of levels 406 to 467, device of level 468 and later',
    PushGeneration.options,
    'account',
  ),
  app: textFlag(
    "The bundle ID or package name; the simulator's first app if left out, and an Android phone then names none to the bouncer",
    'app ID',
  ),
  server: valueFlag('The chat server; that of the sandbox if left out', 'url', parseHttpUrl),
  email: textFlag('The user', 'e-mail'),
  apiKey: textFlag('Their API key (or BELLHOP_API_KEY)', 'key'),
  bouncerKey: valueFlag(
    "The bouncer's public key, which apps have built in",
    'base64',
    parseBouncerKey,
  ),
  ...simulatorFlags,
};
type Flags = FlagValues<typeof flags>;

export const add = defineCommand({
  description: `Installs the app on a simulated phone, registers it with the chat server and keeps it in phones/ of
BELLHOP_DATA_DIR (default .bellhop), which only you may read. A user can have several phones. Those of a
running sandbox are in its console too.

The server is that of a running sandbox. The user is Max, who has its first phones, or the one that
--email names. For any other server give --server, --email, --api-key, --bouncer-key, and the simulator that the server's
bouncer sends to: --simulator and --token, or one that runs in this folder.`,
  flags,
  args: [optionalArgument('name', 'A name; phone-1, phone-2 ... if left out', parseName)],
  async run(flags, wanted) {
    const { kind, generation, app } = flags;
    const store = await phonesHere();
    const name = wanted ?? freeName(await store.list());
    const login = flags.server === undefined ? await sandboxLogin(flags) : serverLogin(flags);
    const { control_url, control_token } = await simulatorFor(flags);
    const phone = { ...login, simulator: { control_url, control_token } };
    const sandbox = await sandboxOf(phone);
    const { app_id, ...number } = sandbox
      ? await sandbox.phones
          .add({
            token_kind: kind,
            name,
            generation,
            ...(app === undefined ? {} : { app_id: app }),
          })
          .then((added) => added.phone, rethrowAsUserError)
      : await new Phones(store)
          .add({
            ...phone,
            name,
            kind,
            generation,
            app,
            android_app_id: kind === 'fcm' ? app : undefined,
          })
          .then((entry) => ({ app_id: entry.app_id, ...numbersOf(entry.identity) }));
    const as =
      number.device_id === null
        ? `push_account_id ${number.push_account_id}`
        : `device_id ${number.device_id}`;
    const isUnnamed = kind === 'fcm' && app === undefined;
    console.log(
      `${name} (${kind}, app ${app_id}${isUnnamed ? ', which it does not name' : ''}) of ${login.email} is registered at ${login.server_url}, ${as}.\n` +
        `"bellhop device watch ${name}" shows what it receives.`,
    );
  },
});

function parseName(text: string): string {
  const { data } = PhoneName.safeParse(text);
  if (data !== undefined) return data;
  throw new SyntaxError('write 1 to 40 characters, without slashes and control characters');
}

function freeName(phones: readonly PhoneEntry[]): string {
  const taken = new Set(phones.map(({ name }) => name));
  let number = 1;
  while (taken.has(`phone-${number}`)) number++;
  return `phone-${number}`;
}

async function sandboxLogin({ email }: Flags): Promise<Login> {
  const { base_url, bouncer_public_key, users, devices } = await requireSandbox();
  const user = users.find((one) =>
    email === undefined ? one.user_id === devices[0]?.user_id : one.email === email,
  );
  if (!user) throw new UserError(`The sandbox has no user ${email ?? 'with phones'}.`);
  return { server_url: base_url, email: user.email, api_key: user.api_key, bouncer_public_key };
}

function serverLogin({ server, email, bouncerKey, ...flags }: Flags): Login {
  const apiKey = flags.apiKey ?? process.env['BELLHOP_API_KEY'];
  if (server === undefined || !email || !apiKey || !bouncerKey)
    throw new UserError('With --server give also --email, --api-key and --bouncer-key.');
  return { server_url: server, email, api_key: apiKey, bouncer_public_key: bouncerKey };
}

/** Phones of the sandbox's server are at the sandbox's simulator, whichever else runs here. */
async function simulatorFor({ server, simulator, token }: Flags) {
  if (server === undefined && simulator === undefined) {
    const { control_url, control_token } = (await requireSandbox()).simulator;
    return requireSimulator({ simulator: control_url, token: control_token });
  }
  return requireSimulator({
    ...(simulator === undefined ? {} : { simulator }),
    ...(token === undefined ? {} : { token }),
  });
}
