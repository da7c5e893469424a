import { type CommandFactory, defineCommand } from '@bellhop/bot-cli/command-line';

import { phoneName, phonesHere, requirePhone } from '../phones/phones-here.ts';
import { setOnline } from '../phones/simulated-phone.ts';

const setOnlineCommand = (isOnline: boolean, description: string): CommandFactory =>
  defineCommand({
    description,
    args: [phoneName],
    async run(_flags, name) {
      await setOnline(await requirePhone(await phonesHere(), name), isOnline);
      console.log(`${name} is ${isOnline ? 'online' : 'offline'}.`);
    },
  });

export const offline = setOnlineCommand(
  false,
  'The provider keeps what is sent meanwhile: Apple the newest notification, Google up to 100.',
);

export const online = setOnlineCommand(true, 'It receives what the provider has kept for it.');
