import { z } from 'zod';

import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';
import { RealmEvent } from './realms/realm-events.ts';

/** Allowed e-mail domains that a realm may have at most. */
export const MAX_REALM_DOMAINS = 500;
const MAX_DOMAIN_LENGTH = 253;

/** A domain of the e-mail addresses of a realm. */
export const RealmDomain = z
  .object({ domain: z.string(), allow_subdomains: z.boolean() })
  .meta({ id: 'RealmDomain' });
export type RealmDomain = z.output<typeof RealmDomain>;

const type = z.literal('realm_domains');
export const RealmDomainsEvent = z.discriminatedUnion('op', [
  z.object({ type, op: z.literal('add'), realm_domain: RealmDomain }),
  z.object({ type, op: z.literal('change'), realm_domain: RealmDomain }),
  z.object({ type, op: z.literal('remove'), domain: z.string() }),
]);

const state = { realm_domains: section({ realm_domains: z.array(RealmDomain) }) };

const applyRealmDomains = (
  known: StateOf<typeof state>,
  change: z.output<typeof RealmDomainsEvent>,
): StateOf<typeof state> =>
  changed(known, 'realm_domains', (domains) => {
    if (change.op === 'add') return [...domains, change.realm_domain];
    if (change.op === 'remove') return domains.filter(({ domain }) => domain !== change.domain);
    return domains.map((one) =>
      one.domain === change.realm_domain.domain ? change.realm_domain : one,
    );
  });

const allow_subdomains = z.boolean().meta({ description: 'Allow addresses at its subdomains too' });
const domain = z.string().max(MAX_DOMAIN_LENGTH).meta({ example: 'example.com' });

/** The domains to which `emails_restricted_to_domains` restricts addresses of new users. */
export const realmDomains = resource({
  endpoints: {
    list: endpoint('GET /realm/domains', {
      summary: 'Get the allowed e-mail domains',
      access: 'user',
      result: { domains: z.array(RealmDomain) },
    }),

    add: endpoint('POST /realm/domains', {
      summary: 'Add an allowed e-mail domain',
      description: 'Has an effect while emails_restricted_to_domains is set.',
      access: 'owner',
      params: { domain, allow_subdomains },
      result: {
        new_domain: z.tuple([z.int(), z.string()]).meta({ description: 'Its ID and its name' }),
      },
      emits: [RealmDomainsEvent],
    }),

    update: endpoint('PATCH /realm/domains/{domain}', {
      summary: 'Change an allowed e-mail domain',
      access: 'owner',
      params: { domain, allow_subdomains },
      emits: [RealmDomainsEvent],
    }),

    remove: endpoint('DELETE /realm/domains/{domain}', {
      summary: 'Remove an allowed e-mail domain',
      description: 'Removing the last one switches emails_restricted_to_domains off.',
      access: 'owner',
      params: { domain },
      emits: [RealmDomainsEvent, RealmEvent],
    }),
  },
  events: [event(RealmDomainsEvent, applyRealmDomains)],
  state,
});
