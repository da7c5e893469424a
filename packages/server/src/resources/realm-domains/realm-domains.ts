import { badRequest } from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import type { Resource } from '../../engine/resource.ts';
import * as queries from '../../model/realm-domains/queries.ts';
import * as realms from '../../model/realms/queries.ts';
import { settingsOf } from '../../model/realms/realm-settings.ts';
import { requireRoom } from '../../model/require-room.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+${LABEL}$`);

export const realmDomains: Resource<'realmDomains'> = {
  handlers: {
    list: async ({ db, realm }) => ({ domains: await queries.ofRealm(db, realm.id) }),

    async add({ realm, params, db, emit }) {
      const { allow_subdomains } = params;
      const domain = params.domain.trim().toLowerCase();
      if (!DOMAIN.test(domain)) throw badRequest('Invalid domain: write it like example.com');
      const realm_domain = { domain, allow_subdomains };
      const id = await queries.insert(db, realm.id, realm_domain);
      if (id === undefined)
        throw badRequest(`The domain ${domain} is already a part of your organization.`);
      await requireRoom(db, 'realm_domain', { realm_id: realm.id });
      emit({ type: 'realm_domains', op: 'add', realm_domain }, EVERYBODY);
      return { new_domain: [id, domain] };
    },

    async update({ realm, params, db, emit }) {
      const { domain, allow_subdomains } = params;
      const realm_domain = { domain, allow_subdomains };
      if (!(await queries.update(db, realm.id, realm_domain))) throw noDomain(domain);
      emit({ type: 'realm_domains', op: 'change', realm_domain }, EVERYBODY);
      return {};
    },

    async remove({ app, realm, params: { domain }, db, emit }) {
      if (!(await queries.remove(db, realm.id, domain))) throw noDomain(domain);
      emit({ type: 'realm_domains', op: 'remove', domain }, EVERYBODY);
      if ((await queries.ofRealm(db, realm.id)).length > 0) return {};
      if (await liftRestriction({ db, emit }, realm)) app.realms.changed(db);
      return {};
    },
  },
  state: {
    realm_domains: async ({ db, realm }) => ({
      realm_domains: await queries.ofRealm(db, realm.id),
    }),
  },
};

const noDomain = (domain: string) => badRequest(`No entry found for domain ${domain}.`);

/** A restriction to no domain would refuse every address. Returns whether there was one. */
async function liftRestriction(
  { db, emit }: Pick<Change<'realm'>, 'db' | 'emit'>,
  realm: Realm,
): Promise<boolean> {
  if (!settingsOf(realm).emails_restricted_to_domains) return false;
  await realms.storeSettings(db, realm, { emails_restricted_to_domains: false });
  const property = 'emails_restricted_to_domains';
  emit({ type: 'realm', op: 'update', property, value: false }, EVERYBODY);
  return true;
}
