import { randomBytes, randomUUID } from 'node:crypto';

import { sealing } from '@bellhop/push-crypto';

import type { Command } from '../command-line/command.ts';

export const secretsCommand: Command = {
  usage: '',
  help: `Prints lines for the two environments. Nothing is stored: keep them, they are needed at every start.
The public key is for the apps, which seal their registrations with it.`,
  run: async () => {
    console.log(secrets());
    return 0;
  },
};

/** New secrets as lines of an environment file. */
export function secrets(): string {
  const { publicKey, secretKey } = sealing.generateKeyPair();
  return `# of the chat server
BELLHOP_SECRET=${randomBytes(48).toString('base64url')}
BELLHOP_BOUNCER_ORG_ID=${randomUUID()}
BELLHOP_BOUNCER_ORG_KEY=${randomBytes(32).toString('hex')}
# of the bouncer; its public key is ${publicKey}
BELLHOP_BOUNCER_KEYS='${JSON.stringify({ [publicKey]: secretKey })}'`;
}
