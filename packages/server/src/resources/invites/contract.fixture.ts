import type { InviteId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';

let count = 0;
const address = () => `invited${++count}@example.com`;

/** The ID of a new invitation by e-mail or, with `isLink`, of a new reusable link. */
async function invited({ client }: Person, isLink = false): Promise<InviteId> {
  if (isLink) await client.invites.createLink({});
  else await client.invites.send({ invitee_emails: address(), stream_ids: [] });
  const { invites } = await client.invites.list({});
  const newest = invites.findLast(({ is_multiuse }) => is_multiuse === isLink);
  if (!newest) throw new Error('The invitation is not listed');
  return newest.id;
}
/** The key in the newest mail to an address. */
async function keyFor({ mails }: TestChat, email: string): Promise<string> {
  for (let waited = 0; waited < 500; waited++) {
    const mail = mails.findLast(({ to }) => to === email);
    const key = /\/join\/(\w+)/.exec(mail?.text ?? '')?.[1];
    if (key !== undefined) return key;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`No mail to ${email} has a link`);
}

const linkKey = async (chat: TestChat) =>
  (await ownerOf(chat).client.invites.createLink({})).invite_link.split('/').at(-1) ?? '';

/** The parameters that accept a new invitation. */
async function acceptance(chat: TestChat) {
  const invitee_emails = address();
  await chat.people.desdemona.client.invites.send({ invitee_emails, stream_ids: [] });
  const key = await keyFor(chat, invitee_emails);
  return { key, full_name: `Guildenstern ${count}`, password: 'a long password' };
}

const ownerOf = ({ people }: TestChat) => people.desdemona;

export const fixture: ContractFixture = {
  samples: {
    'POST /invites': () => ({ invitee_emails: address(), stream_ids: '[]' }),
    'DELETE /invites/{invite_id}': async (_chat, caller) => ({
      invite_id: String(await invited(caller)),
    }),
    'POST /invites/{invite_id}/resend': async (_chat, caller) => ({
      invite_id: String(await invited(caller)),
    }),
    'DELETE /invites/multiuse/{invite_id}': async (_chat, caller) => ({
      invite_id: String(await invited(caller, true)),
    }),
    'POST /invites/request': async (chat) => ({ key: await linkKey(chat), email: address() }),
    'POST /invites/accept': acceptance,
  },
  declared: {
    'POST /invites/accept realm_user user_group stream subscription message invites_changed':
      async ({ chat }) => {
        const { desdemona } = chat.people;
        await desdemona.client.subscriptions.add({
          subscriptions: [{ name: 'for new people' }],
          invite_only: true,
        });
        const { stream_id } = await desdemona.client.channels.id({ stream: 'for new people' });
        const invitee_emails = address();
        await desdemona.client.invites.send({ invitee_emails, stream_ids: [stream_id] });
        await desdemona.client.invites.accept({
          key: await keyFor(chat, invitee_emails),
          full_name: 'Rosencrantz',
          password: 'a long password',
        });
      },
    'POST /invites invites_changed': ({ chat }) => invited(ownerOf(chat)),
    'POST /invites INVITATION_FAILED': ({ chat }) =>
      ownerOf(chat).client.invites.send({ invitee_emails: 'hamlet@chat.test', stream_ids: [] }),
    'DELETE /invites/{invite_id} invites_changed': async ({ chat }) =>
      ownerOf(chat).client.invites.revoke({ invite_id: await invited(ownerOf(chat)) }),
    'POST /invites/{invite_id}/resend invites_changed': async ({ chat }) =>
      ownerOf(chat).client.invites.resend({ invite_id: await invited(ownerOf(chat)) }),
    'POST /invites/{invite_id}/resend INVITATION_FAILED': async ({ chat }) => {
      const invite_id = await invited(ownerOf(chat));
      for (let mails = 0; mails < 6; mails++)
        await ownerOf(chat).client.invites.resend({ invite_id });
    },
    'POST /invites/multiuse invites_changed': ({ chat }) => invited(ownerOf(chat), true),
    'DELETE /invites/multiuse/{invite_id} invites_changed': async ({ chat }) =>
      ownerOf(chat).client.invites.revokeLink({ invite_id: await invited(ownerOf(chat), true) }),
  },
  changes: {
    'somebody accepts an invitation to a private channel': async (chat) => {
      const { hamlet, cordelia } = chat.people;
      await hamlet.client.subscriptions.add({
        subscriptions: [{ name: 'for the invited' }],
        invite_only: true,
        principals: [hamlet.user.id, cordelia.user.id],
      });
      const { stream_id } = await hamlet.client.channels.id({ stream: 'for the invited' });
      const invitee_emails = address();
      await hamlet.client.invites.send({ invitee_emails, stream_ids: [stream_id] });
      await hamlet.client.invites.accept({
        key: await keyFor(chat, invitee_emails),
        full_name: 'Laertes',
        password: 'a long password',
      });
    },
    'two invitations, one of them revoked': async ({ people: { hamlet } }) => {
      await invited(hamlet);
      await hamlet.client.invites.revoke({ invite_id: await invited(hamlet) });
    },
  },
};
