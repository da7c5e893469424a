import { generateKeyPairSync } from 'node:crypto';

/** A new private key as PEM text: EC as in a .p8 file of Apple, RSA as in a service account of Google. */
export const pem = (type: 'ec' | 'rsa'): string =>
  (type === 'ec'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 })
  ).privateKey
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();

/** A service account of Google with a key of its own. */
export const account = {
  project_id: 'project',
  private_key_id: 'id',
  private_key: pem('rsa'),
  client_email: 'a@example.com',
  token_uri: 'https://oauth2.googleapis.com/token',
};
