import { z } from 'zod';

import { Origin } from '../../settings/schemas.ts';
import { hasOneSource, type ReadSecret, secretFields } from '../../settings/secret-source.ts';
import type { SenderConfig } from '../sender-config.ts';
import { AppleId } from './apns-config.ts';
import { openSigningKey } from './provider-token.ts';

const AppId = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9.-]+$/, 'must be a bundle ID such as org.example.chat');
const Environment = z.enum(['production', 'sandbox'], { error: 'must be production or sandbox' });
const unique = (items: readonly string[]) => new Set(items).size === items.length;

/** An entry of `apns` in the apps file: one signing key of one team. */
export const ApnsEntry = z
  .strictObject({
    name: z.string().min(1).max(60).optional(),
    team_id: AppleId,
    key_id: AppleId,
    key_file: secretFields.file,
    key_credential: secretFields.credential,
    apps: z.array(AppId).min(1).max(1_000).refine(unique, 'lists an app twice').optional(),
    environments: z
      .array(Environment)
      .min(1)
      .refine(unique, 'lists an environment twice')
      .default(['production']),
    production_url: Origin.optional(),
    sandbox_url: Origin.optional(),
  })
  .superRefine((entry, context) => {
    for (const environment of Environment.options)
      if (entry[`${environment}_url`] !== undefined && !entry.environments.includes(environment))
        context.addIssue({
          code: 'custom',
          path: [`${environment}_url`],
          message: `has no effect: environments does not list ${environment}`,
        });
  })
  .refine(
    ({ key_file, key_credential }) => hasOneSource({ file: key_file, credential: key_credential }),
    {
      error: 'needs either key_file or key_credential',
    },
  )
  .transform((entry) => ({ ...entry, name: entry.name ?? `${entry.team_id}/${entry.key_id}` }));
type ApnsEntry = z.output<typeof ApnsEntry>;

/** `describe` makes the fault of a key that cannot be used. */
export function apnsSender(
  entry: ApnsEntry,
  readSecret: ReadSecret,
  describe: (fault: string) => string,
): SenderConfig<'apns'> {
  const { name, apps, environments, team_id: teamId, key_id: keyId } = entry;
  const { production_url: production, sandbox_url: sandbox } = entry;
  const urls = {
    production: production ?? 'https://api.push.apple.com',
    sandbox: sandbox ?? 'https://api.sandbox.push.apple.com',
  };
  const sender = { name, apps, isDefault: true };
  try {
    const privateKey = readSecret({ file: entry.key_file, credential: entry.key_credential });
    openSigningKey(privateKey);
    return {
      ...sender,
      environments: environments.map((environment) => ({
        environment,
        config: { url: urls[environment], teamId, keyId, privateKey },
      })),
    };
  } catch (error) {
    const fault = describe(`the key ${(error as Error).message}`);
    return { ...sender, environments: environments.map((environment) => ({ environment, fault })) };
  }
}
