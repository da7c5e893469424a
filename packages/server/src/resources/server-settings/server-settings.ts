import { versionAt } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { admitsSpectators } from '../../engine/spectator.ts';
import { renderMarkdown } from '../../markdown/render-markdown.ts';
import * as realmImages from '../../model/realm-images/queries.ts';

/** Login methods by name. This server supports only passwords. */
const authenticationMethods = {
  password: true,
  dev: false,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  google: false,
  apple: false,
  saml: false,
  'openid connect': false,
};

const handlers: Handlers<'serverSettings'> = {
  async get({ realm, app, db }) {
    return {
      authentication_methods: authenticationMethods,
      external_authentication_methods: [],
      ...versionAt(app.config.publicFeatureLevel),
      push_notifications_enabled: app.bouncer !== undefined,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: realm.url,
      realm_uri: realm.url,
      realm_name: realm.name,
      realm_icon: (await realmImages.ofRealm(db, realm)).icon.url,
      realm_description: renderMarkdown(realm.description || '', { customEmoji: realm.emoji }).html,
      realm_web_public_access_enabled: admitsSpectators(realm),
    };
  },
};

export const serverSettings: Resource<'serverSettings'> = { handlers };
