import { defineCommand, optionalArgument } from '@bellhop/bot-cli/command-line';

import { newSecrets, type SecretKind, secretKinds } from './new-secrets.ts';

export const secrets = defineCommand({
  description: `Prints lines for the environments of a server and a bouncer, or only one kind of them:
  server  the secret of a chat server
  org     ID and key of a chat server at a bouncer
  keys    a key pair of a bouncer, also to rotate: apps seal their registrations with the public key
  encryption  what encrypts the key pairs in the database of a bouncer ("bellhop bouncer keys")
  vapid   the key with which a bouncer sends to browsers
  token   a token with which chat servers may register at a bouncer
  operator  the token with which you use the console of a bouncer
Nothing is stored: keep the lines, both services need them at every start.`,
  args: [
    {
      ...optionalArgument('kind', secretKinds.join(', '), parseKind),
      proposeCompletions: () => secretKinds,
    },
  ],
  async run(_flags, kind) {
    console.log(newSecrets(kind));
  },
});

function parseKind(text: string): SecretKind {
  const kind = secretKinds.find((one) => one === text);
  if (kind) return kind;
  throw new SyntaxError(`choose one of ${secretKinds.join(', ')}`);
}
