import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { newEmailKey } from '../email-changes/new-email-key.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { resetRealmSettings } from '../realms/realm-settings.fixture.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());

const owner = () => chat.people.desdemona.client.realmDomains;
const stateOf = async ({ client }: Person) =>
  (await client.queues.register({ fetch_event_types: ['realm_domains', 'realm'] })).realm_domains;
const removeAll = async () => {
  for (const { domain } of (await owner().list({})).domains) await owner().remove({ domain });
};
beforeEach(async () => {
  await removeAll();
  await resetRealmSettings(chat, {});
});

describe('an allowed e-mail domain', () => {
  test('is in the list, the state and the events from its addition to its removal', async () => {
    const { hamlet } = chat.people;
    const queue = await listen(hamlet);
    const realm_domain = { domain: 'example.com', allow_subdomains: false };
    const { new_domain } = await owner().add({ domain: ' Example.COM', allow_subdomains: false });
    expect(new_domain).toEqual([expect.any(Number), 'example.com']);
    expect(await stateOf(hamlet)).toEqual([realm_domain]);
    expect((await hamlet.client.realmDomains.list({})).domains).toEqual([realm_domain]);
    const changed = { ...realm_domain, allow_subdomains: true };
    await owner().update(changed);
    expect(await stateOf(hamlet)).toEqual([changed]);
    await owner().remove({ domain: 'example.com' });
    expect(await stateOf(hamlet)).toEqual([]);
    expect(await queue.events('realm_domains')).toMatchObject([
      { op: 'add', realm_domain },
      { op: 'change', realm_domain: changed },
      { op: 'remove', domain: 'example.com' },
    ]);
  });

  test.each(['', 'localhost', '.example.com', 'example..com', '-a.com', 'a b.com', 'a@b.com'])(
    'is refused if it is %j',
    async (domain) => {
      await expect(owner().add({ domain, allow_subdomains: false })).rejects.toMatchObject({
        message: 'Invalid domain: write it like example.com',
      });
    },
  );

  test('is refused the second time, and unknown ones cannot be changed or removed', async () => {
    const realmDomain = { domain: 'example.com', allow_subdomains: false };
    await owner().add(realmDomain);
    await expect(owner().add(realmDomain)).rejects.toMatchObject({
      message: 'The domain example.com is already a part of your organization.',
    });
    const unknown = { ...realmDomain, domain: 'example.org' };
    for (const call of [owner().update, owner().remove])
      await expect(call(unknown)).rejects.toMatchObject({
        message: 'No entry found for domain example.org.',
      });
  });

  test('is changed only by owners', async () => {
    const realmDomain = { domain: 'example.com', allow_subdomains: false };
    await expect(chat.people.iago.client.realmDomains.add(realmDomain)).rejects.toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  });

  test('switches emails_restricted_to_domains off when it is the last and is removed', async () => {
    const { desdemona, hamlet } = chat.people;
    await owner().add({ domain: 'example.com', allow_subdomains: false });
    await owner().add({ domain: 'example.org', allow_subdomains: false });
    await desdemona.client.realms.update({ emails_restricted_to_domains: true });
    const queue = await listen(hamlet);
    await owner().remove({ domain: 'example.com' });
    expect(await queue.events('realm')).toEqual([]);
    await owner().remove({ domain: 'example.org' });
    expect(await queue.events('realm')).toMatchObject([
      { property: 'emails_restricted_to_domains', value: false },
    ]);
  });
});

let count = 0;
/** The refusal of an address by each call that gives a user one; undefined if it is accepted. */
const refusals = {
  'POST /users': async (email) => {
    const fields = { email, full_name: 'Osric', password: 'a long password' };
    return textOf(chat.ask(chat.people.desdemona, 'POST /users', fields));
  },
  'PATCH /users/{user_id}': async (email) => {
    const { user } = await chat.addPerson(`osric${++count}`);
    return textOf(chat.ask(chat.people.desdemona, `PATCH /users/${user.id}`, { new_email: email }));
  },
  'PATCH /settings': async (email) =>
    textOf(chat.ask(await chat.addPerson(`osric${++count}`), 'PATCH /settings', { email })),
  'POST /invites': async (email) => {
    const fields = { invitee_emails: `${email}`, stream_ids: '[]' };
    const { body } = await chat.ask(chat.people.iago, 'POST /invites', fields);
    const [first] = (body['errors'] ?? []) as string[][];
    return first?.[1];
  },
  'POST /invites/request': async (email) => {
    const { invite_link } = await chat.people.iago.client.invites.createLink({});
    const key = invite_link.split('/').at(-1) ?? '';
    return textOf(chat.ask(null, 'POST /invites/request', { key, email }));
  },
} satisfies Record<string, (email: string) => Promise<string | undefined>>;
async function textOf(response: ReturnType<TestChat['ask']>): Promise<string | undefined> {
  const { status, body } = await response;
  return status === 200 ? undefined : String(body['msg']);
}

describe.each(Object.entries(refusals))('an address of %s', (_route, refusalOf) => {
  test('must be at an allowed domain while emails_restricted_to_domains', async () => {
    await owner().add({ domain: 'castle.test', allow_subdomains: false });
    await owner().add({ domain: 'court.test', allow_subdomains: true });
    await resetRealmSettings(chat, { emails_restricted_to_domains: true });
    count += 1;
    for (const domain of ['elsewhere.test', 'sub.castle.test', 'notcastle.test', 'xcourt.test'])
      expect(await refusalOf(`a${count}@${domain}`), domain).toBe('Outside your domain.');
    for (const domain of ['castle.test', 'CASTLE.test', 'court.test', 'a.b.court.test'])
      expect(await refusalOf(`b${domain.length}${++count}@${domain}`), domain).toBeUndefined();
    expect(await refusalOf(`a+b${count}@castle.test`)).toBe(
      'Email addresses containing + are not allowed.',
    );
  });

  test('must not be disposable while disallow_disposable_email_addresses', async () => {
    count += 1;
    for (const domain of ['mailinator.com', 'Mailinator.com', 'sub.mailinator.com'])
      expect(await refusalOf(`a${count}@${domain}`), domain).toBe(
        'Please use your real email address.',
      );
    expect(await refusalOf(`a+${count}@example.com`)).toBeUndefined();
    await resetRealmSettings(chat, { disallow_disposable_email_addresses: false });
    expect(await refusalOf(`a${count}@mailinator.com`)).toBeUndefined();
  });
});

describe('a restriction of addresses', () => {
  test('set later refuses pending invitations and pending new addresses', async () => {
    const person = await chat.addPerson('waiting', roles.member);
    const confirmation = await newEmailKey(chat, person, 'waiting@example.com');
    const { invite_link } = await chat.people.iago.client.invites.createLink({});
    const link = invite_link.split('/').at(-1) ?? '';
    await chat.people.iago.client.invites.request({ key: link, email: 'late@example.com' });
    await owner().add({ domain: 'castle.test', allow_subdomains: false });
    await resetRealmSettings(chat, { emails_restricted_to_domains: true });
    const refusal = { msg: 'Outside your domain.' };
    const confirmed = chat.ask(null, 'POST /email_changes/confirm', { key: confirmation });
    expect((await confirmed).body).toMatchObject(refusal);
    const key = await vi.waitFor(() => {
      const mail = chat.mails.findLast(({ to }) => to === 'late@example.com');
      const found = /\/join\/(\w+)/.exec(mail?.text ?? '')?.[1];
      if (found === undefined) throw new Error('No link');
      return found;
    }, 15_000);
    const fields = { key, full_name: 'Late', password: 'a long password' };
    expect((await chat.ask(null, 'POST /invites/accept', fields)).body).toMatchObject(refusal);
  });
});
