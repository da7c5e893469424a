import { randomBytes, randomUUID } from 'node:crypto';

import { sealing } from '@bellhop/push-crypto';

/** New secrets of a server and a bouncer, as lines of an environment file. */
export function newSecrets(): string {
  const { publicKey, secretKey } = sealing.generateKeyPair();
  return `# of the chat server
BELLHOP_SECRET=${randomBytes(48).toString('base64url')}
BELLHOP_BOUNCER_ORG_ID=${randomUUID()}
BELLHOP_BOUNCER_ORG_KEY=${randomBytes(32).toString('hex')}
# of the bouncer; its public key is ${publicKey}
BELLHOP_BOUNCER_KEYS='${JSON.stringify({ [publicKey]: secretKey })}'`;
}
