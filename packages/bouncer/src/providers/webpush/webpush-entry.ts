import { z } from 'zod';

import { hasOneSource, type ReadSecret, secretFields } from '../../settings/secret-source.ts';
import type { SenderConfig } from '../sender-config.ts';
import { vapidPublicKey } from './vapid-token.ts';
import { Host, Network, permittedHosts, Subject } from './webpush-config.ts';
import { DEFAULT_HOSTS } from './webpush-variables.ts';

/** The entry of `webpush` in the apps file: the VAPID key that browsers have subscribed with. */
export const WebPushEntry = z
  .strictObject({
    name: z.string().min(1).max(60).default('webpush'),
    vapid_key_file: secretFields.file,
    vapid_key_credential: secretFields.credential,
    subject: Subject,
    hosts: z.array(Host).min(1).max(1_000).default(DEFAULT_HOSTS.split(',')),
    allow: z.array(Network).max(1_000).default([]),
  })
  .refine(
    ({ vapid_key_file, vapid_key_credential }) =>
      hasOneSource({ file: vapid_key_file, credential: vapid_key_credential }),
    { error: 'needs either vapid_key_file or vapid_key_credential' },
  );
type WebPushEntry = z.output<typeof WebPushEntry>;

/** `describe` makes the fault of a key that cannot be used. */
export function webPushSender(
  entry: WebPushEntry,
  readSecret: ReadSecret,
  describe: (fault: string) => string,
): SenderConfig<'webpush'> {
  const { name, subject, allow } = entry;
  const sender = { name, apps: undefined, isDefault: true };
  const environment = 'production' as const;
  try {
    const { vapid_key_file: file, vapid_key_credential: credential } = entry;
    const privateKey = readSecret({ file, credential });
    const publicKey = vapidPublicKey(privateKey);
    const hosts = permittedHosts(entry.hosts);
    const config = { privateKey, publicKey, subject, hosts, allow };
    return { ...sender, environments: [{ environment, config }] };
  } catch (error) {
    const fault = describe(`the VAPID key ${(error as Error).message}`);
    return { ...sender, environments: [{ environment, fault }] };
  }
}
