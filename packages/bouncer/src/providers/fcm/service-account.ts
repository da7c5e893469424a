import type { KeyObject } from 'node:crypto';

import { z } from 'zod';

import { openPrivateKey } from '../open-private-key.ts';

/** The fields of a service account's key file that sending needs. */
export const ServiceAccount = z.object({
  project_id: z.string().regex(/^[\w:.-]+$/, 'must be the ID of a Firebase project'),
  private_key_id: z.string().min(1, 'must not be empty'),
  private_key: z.string().min(1, 'must not be empty'),
  client_email: z.string().min(1, 'must not be empty'),
  token_uri: z.url({ protocol: /^https?$/, error: 'must be a URL' }),
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

/** Opens the account's RSA key. The message of its error names the fault, without the key. */
export function openAccountKey({ private_key }: ServiceAccount): KeyObject {
  let key: KeyObject;
  try {
    key = openPrivateKey(private_key);
  } catch (error) {
    throw new Error(`the field private_key ${(error as Error).message}`, { cause: error });
  }
  if (key.asymmetricKeyType !== 'rsa')
    throw new Error(`the field private_key is a key of another kind (${key.asymmetricKeyType})`);
  return key;
}
