import { z } from 'zod';

import { Name, Url } from '../values/fields.ts';
import { FEATURE_LEVEL, PUBLIC_FEATURE_LEVEL, publicVersion, VERSION } from '../values/version.ts';
import { endpoint } from '../wire/endpoint.ts';
import { resource } from '../wire/resource.ts';

const notPublic = { description: 'Servers of the public API do not send it' };
/** The version of the server under the spec's names and under those that existing clients read. */
export const serverVersion = {
  svc_feature_level: z.int().optional().meta(notPublic),
  svc_version: z.string().optional().meta(notPublic),
  zulip_feature_level: z.int(),
  zulip_version: z.string(),
  zulip_merge_base: z.string(),
};
export type ServerVersion = {
  [K in keyof typeof serverVersion]: NonNullable<z.output<(typeof serverVersion)[K]>>;
};
/** The version of a server that announces this feature level of the public API. */
export const versionAt = (level: number): ServerVersion => ({
  svc_feature_level: FEATURE_LEVEL,
  svc_version: VERSION,
  zulip_feature_level: level,
  zulip_version: publicVersion(level),
  zulip_merge_base: publicVersion(level),
});
export const thisVersion: ServerVersion = versionAt(PUBLIC_FEATURE_LEVEL);

const endpoints = {
  get: endpoint('GET /server_settings', {
    summary: 'Get the settings that a client needs before login',
    description: 'The realm_ fields are absent if there is no realm at this address.',
    access: 'anyone',
    result: {
      authentication_methods: z.record(z.string(), z.boolean()),
      external_authentication_methods: z.array(
        z.object({
          name: Name,
          display_name: z.string(),
          display_icon: z.string().nullable(),
          login_url: Url,
          signup_url: Url,
        }),
      ),
      ...serverVersion,
      push_notifications_enabled: z.boolean(),
      is_incompatible: z.boolean(),
      email_auth_enabled: z.boolean(),
      require_email_format_usernames: z.boolean(),
      realm_url: z.string().optional(),
      realm_uri: z.string().optional(),
      realm_name: z.string().optional(),
      realm_icon: z.string().optional(),
      realm_description: z.string().optional(),
      realm_web_public_access_enabled: z.boolean().optional(),
    },
  }),
};

export const serverSettings = resource({ endpoints });
