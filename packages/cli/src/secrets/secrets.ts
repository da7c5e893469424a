import { defineCommand } from '../command-line/command.ts';
import { newSecrets } from './new-secrets.ts';

export const secrets = defineCommand({
  description: `Prints lines for the environments of a server and a bouncer. Nothing is stored: keep the lines, both
services need them at every start. The public key is for apps, which seal their registrations with it.`,
  parameters: {},
  async run() {
    console.log(newSecrets());
  },
});
