import { z } from 'zod';

import { usable } from '../../settings/entry-fields.ts';
import { Origin } from '../../settings/schemas.ts';
import { listOfApps, providerSettings, SenderName } from '../provider-settings.ts';
import { openSigningKey } from './provider-token.ts';

const AppleId = z.string().regex(/^[A-Z0-9]{10}$/, 'must be 10 capital letters and digits');
const AppId = z
  .string()
  .max(255, 'must have 255 characters or fewer')
  .regex(/^[A-Za-z0-9.-]+$/, 'must be a bundle ID such as org.example.chat');
const Environment = z.enum(['production', 'sandbox'], { error: 'must be production or sandbox' });
const urls = {
  production: 'https://api.push.apple.com',
  sandbox: 'https://api.sandbox.push.apple.com',
};

const entry = z.object({
  name: SenderName.optional(),
  key: usable(z.string(), openSigningKey).meta({
    env: 'BELLHOP_BOUNCER_APNS_KEY',
    description: "Text of Apple's .p8 signing key; unset: no notifications to iPhones",
    secret: true,
  }),
  key_id: AppleId.meta({
    env: 'BELLHOP_BOUNCER_APNS_KEY_ID',
    description: 'ID of the signing key, 10 characters',
  }),
  team_id: AppleId.meta({
    env: 'BELLHOP_BOUNCER_APNS_TEAM_ID',
    description: 'ID of the team that owns the signing key, 10 characters',
  }),
  apps: listOfApps(AppId),
  environments: z
    .array(Environment)
    .min(1, 'must list production, sandbox or both')
    .refine((items) => new Set(items).size === items.length, 'lists an environment twice')
    .default(['production']),
  production_url: Origin.optional().meta({
    env: 'BELLHOP_BOUNCER_APNS_URL',
    description: 'URL of APNs; https://api.sandbox.push.apple.com for development builds',
    default: urls.production,
  }),
  sandbox_url: Origin.optional(),
});

/** One signing key of one team. */
export const apnsSettings = providerSettings<'apns', typeof entry>({
  entry,
  secret: 'key',
  secretTitle: 'the key',
  check(fields, report) {
    for (const environment of Environment.options)
      if (fields[`${environment}_url`] !== undefined && !fields.environments.includes(environment))
        report(`${environment}_url`, `has no effect: environments does not list ${environment}`);
  },
  facts: ({ name, team_id, key_id, apps, environments }) => ({
    name: name ?? `${team_id}/${key_id}`,
    apps,
    isDefault: true,
    environments,
  }),
  configOf(fields, environment, source) {
    const { team_id: teamId, key_id: keyId, key: privateKey } = fields;
    const url = fields[`${environment}_url`] ?? urls[environment];
    // What is known of credentials is kept by their hash, in which variables have their own order.
    return source === 'variables'
      ? { url, keyId, teamId, privateKey }
      : { url, teamId, keyId, privateKey };
  },
});
