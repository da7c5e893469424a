import { randomBytes, randomUUID } from 'node:crypto';

import { sealing } from '@bellhop/push-crypto';
import { newWebPushSubscription } from '@bellhop/push-crypto/web-push';

/** Each kind of secret: its lines of an environment file. No value needs quotes, in any reader. */
const makers = {
  server: () => `# of the chat server
BELLHOP_SECRET=${randomBytes(48).toString('base64url')}`,
  org: () => {
    const id = randomUUID();
    return `# of the chat server, to register with the bouncer
BELLHOP_BOUNCER_ORG_ID=${id}
BELLHOP_BOUNCER_ORG_KEY=${randomBytes(32).toString('hex')}
# of the bouncer: the chat servers that may register
BELLHOP_BOUNCER_SERVERS=${id}`;
  },
  keys: () => {
    const { publicKey, secretKey } = sealing.generateKeyPair();
    return `# of the bouncer; its public key, for the apps, is ${publicKey}
BELLHOP_BOUNCER_KEYS=${publicKey}:${secretKey}`;
  },
  encryption: () => `# of the bouncer, to encrypt the key pairs in its database
BELLHOP_BOUNCER_ENCRYPTION_KEY=${randomBytes(32).toString('hex')}`,
  vapid: () => {
    const { p256dh, private_key } = newWebPushSubscription();
    return `# of the bouncer, for browsers; its public key, the applicationServerKey, is ${p256dh}
BELLHOP_BOUNCER_VAPID_KEY=${private_key}`;
  },
  token: () => `# of the bouncer and of the chat servers that may register with it
BELLHOP_BOUNCER_REGISTRATION_TOKEN=${randomBytes(32).toString('hex')}`,
  operator: () => `# of the bouncer, for its console and /v1/admin
BELLHOP_BOUNCER_OPERATOR_TOKEN=${randomBytes(32).toString('hex')}`,
};

export type SecretKind = keyof typeof makers;
export const secretKinds = Object.keys(makers) as SecretKind[];

/**
 * New secrets as lines of an environment file: those of one kind, or all secrets of a server and a
 * bouncer.
 */
export function newSecrets(kind?: SecretKind): string {
  const kinds: readonly SecretKind[] = kind ? [kind] : ['server', 'org', 'keys'];
  return kinds.map((one) => makers[one]()).join('\n');
}
