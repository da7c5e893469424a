import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

let count = 0;
const next = () => ({ domain: `domain${++count}.example.com`, allow_subdomains: false });

/** The name of a new allowed domain. */
async function added({ people }: TestChat): Promise<string> {
  const realmDomain = next();
  await people.desdemona.client.realmDomains.add(realmDomain);
  return realmDomain.domain;
}

/** Removes the last allowed domain of a realm that is restricted to its domains. */
async function removeLast(chat: TestChat): Promise<void> {
  const { client } = chat.people.desdemona;
  await added(chat);
  await client.realms.update({ emails_restricted_to_domains: true });
  const { domains } = await client.realmDomains.list({});
  for (const { domain } of domains) await client.realmDomains.remove({ domain });
}

export const fixture: ContractFixture = {
  samples: {
    'POST /realm/domains': () => ({ ...next(), allow_subdomains: 'false' }),
    'PATCH /realm/domains/{domain}': async (chat) => ({
      domain: await added(chat),
      allow_subdomains: 'true',
    }),
    'DELETE /realm/domains/{domain}': async (chat) => ({ domain: await added(chat) }),
  },
  declared: {
    'POST /realm/domains realm_domains': ({ chat }) => added(chat),
    'PATCH /realm/domains/{domain} realm_domains': async ({ chat }) =>
      chat.people.desdemona.client.realmDomains.update({
        domain: await added(chat),
        allow_subdomains: true,
      }),
    'DELETE /realm/domains/{domain} realm_domains realm': ({ chat }) => removeLast(chat),
  },
  changes: {
    'two allowed domains, one of them changed': async (chat) => {
      const { client } = chat.people.desdemona;
      await client.realmDomains.update({ domain: await added(chat), allow_subdomains: true });
      await client.realmDomains.remove({ domain: await added(chat) });
    },
    'the last allowed domain removed': removeLast,
  },
};
