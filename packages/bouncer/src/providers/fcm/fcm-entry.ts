import { z } from 'zod';

import { Origin } from '../../settings/schemas.ts';
import { hasOneSource, type ReadSecret, secretFields } from '../../settings/secret-source.ts';
import type { SenderConfig } from '../sender-config.ts';
import { openAccountKey, ServiceAccount } from './service-account.ts';

const AppId = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9._]+$/, 'must be a package name such as org.example.chat');

/** An entry of `fcm` in the apps file: one Firebase project. */
export const FcmEntry = z
  .strictObject({
    name: z.string().min(1).max(60).optional(),
    account_file: secretFields.file,
    account_credential: secretFields.credential,
    apps: z
      .array(AppId)
      .min(1)
      .max(1_000)
      .refine((apps) => new Set(apps).size === apps.length, 'lists an app twice')
      .optional(),
    default: z.boolean().default(false),
    url: Origin.default('https://fcm.googleapis.com'),
  })
  .refine(
    ({ account_file, account_credential }) =>
      hasOneSource({ file: account_file, credential: account_credential }),
    { error: 'needs either account_file or account_credential' },
  )
  .transform((entry) => ({
    ...entry,
    name: entry.name ?? entry.account_credential ?? entry.account_file ?? '',
  }));
type FcmEntry = z.output<typeof FcmEntry>;

/** `describe` makes the fault of a service account that cannot be used. */
export function fcmSender(
  entry: FcmEntry,
  readSecret: ReadSecret,
  describe: (fault: string) => string,
): SenderConfig<'fcm'> {
  const { name, apps, url } = entry;
  const sender = { name, apps, isDefault: entry.default };
  const environment = 'production' as const;
  try {
    const text = readSecret({ file: entry.account_file, credential: entry.account_credential });
    const account = readAccount(text);
    openAccountKey(account);
    return { ...sender, environments: [{ environment, config: { url, account } }] };
  } catch (error) {
    const fault = describe(`the service account: ${(error as Error).message}`);
    return { ...sender, environments: [{ environment, fault }] };
  }
}

function readAccount(text: string): ServiceAccount {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('must be JSON');
  }
  const parsed = ServiceAccount.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`the field ${issue?.path.join('.')}: ${issue?.message}`);
}
