import { badRequest } from '@bellhop/protocol';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

import type { Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { settingsOf } from '../realms/realm-settings.ts';
import * as queries from './queries.ts';

const refusals = {
  domain: 'Outside your domain.',
  disposable: 'Please use your real email address.',
  plus: 'Email addresses containing + are not allowed.',
};

/**
 * Returns the reason why new users of the realm may not have an address, by
 * `emails_restricted_to_domains` and `disallow_disposable_email_addresses`; undefined if they may.
 * Domains that the owners allow may be disposable. Restricted domains exclude addresses with a `+`,
 * with which one person could have many accounts.
 */
export async function addressRules(
  db: Db,
  realm: Pick<Realm, 'id' | 'settings'>,
): Promise<(address: string) => string | undefined> {
  const { emails_restricted_to_domains, disallow_disposable_email_addresses } = settingsOf(realm);
  if (!emails_restricted_to_domains)
    return (address) =>
      disallow_disposable_email_addresses && isDisposable(domainOf(address))
        ? refusals.disposable
        : undefined;
  const allowed = await queries.ofRealm(db, realm.id);
  return (address) => {
    if (address.slice(0, address.lastIndexOf('@')).includes('+')) return refusals.plus;
    const name = domainOf(address);
    const isAllowed = allowed.some(
      ({ domain, allow_subdomains }) =>
        name === domain || (allow_subdomains && name.endsWith(`.${domain}`)),
    );
    return isAllowed ? undefined : refusals.domain;
  };
}

/** Throws BAD_REQUEST for an address that new users of the realm may not have. */
export async function requireAllowedAddress(
  db: Db,
  realm: Pick<Realm, 'id' | 'settings'>,
  address: string,
): Promise<void> {
  const refusal = (await addressRules(db, realm))(address);
  if (refusal !== undefined) throw badRequest(refusal);
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

let disposable: ReadonlySet<string> | undefined;

/** Whether a domain, or one above it, gives addresses to anybody for a short time. */
function isDisposable(domain: string): boolean {
  disposable ??= disposableEmailBlocklistSet();
  const labels = domain.split('.');
  return labels.some((_label, at) => disposable?.has(labels.slice(at).join('.')));
}
