import { z } from 'zod';

import { usable } from '../../settings/entry-fields.ts';
import { json, Origin } from '../../settings/schemas.ts';
import { listOfApps, providerSettings, SenderName } from '../provider-settings.ts';
import { openAccountKey, ServiceAccount } from './service-account.ts';

const AppId = z
  .string()
  .max(255, 'must have 255 characters or fewer')
  .regex(/^[A-Za-z0-9._]+$/, 'must be a package name such as org.example.chat');

const entry = z.object({
  name: SenderName.optional(),
  account: usable(json(ServiceAccount), openAccountKey).meta({
    env: 'BELLHOP_BOUNCER_FCM_ACCOUNT',
    description: 'JSON key of a Google service account; unset: no notifications to Android phones',
    secret: true,
  }),
  apps: listOfApps(AppId),
  default: z.boolean().default(false),
  url: Origin.default('https://fcm.googleapis.com').meta({
    env: 'BELLHOP_BOUNCER_FCM_URL',
    description: 'URL of FCM',
  }),
});

/** One Firebase project. */
export const fcmSettings = providerSettings<'fcm', typeof entry>({
  entry,
  secret: 'account',
  secretTitle: 'the service account:',
  facts: ({ name, apps, default: isDefault }, source) => ({
    name: name ?? source,
    apps,
    isDefault,
    environments: ['production'],
  }),
  configOf: ({ url, account }) => ({ url, account }),
});
