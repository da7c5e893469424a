import { thisVersion } from '@bellhop/protocol';

import type { Resource } from '../call.ts';

export const serverSettings: Resource<'serverSettings'> = {
  get: ({ world }) => ({
    authentication_methods: { password: true, email: true },
    external_authentication_methods: [],
    ...thisVersion,
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: world.url,
    realm_uri: world.url,
    realm_name: 'Fake',
    realm_icon: `${world.url}/api/icon.svg`,
    realm_description: '<p>For testing bots</p>',
    realm_web_public_access_enabled: false,
  }),
};
