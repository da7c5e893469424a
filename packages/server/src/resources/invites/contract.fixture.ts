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
const ownerOf = ({ people }: TestChat) => people.desdemona;

export const fixture: ContractFixture = {
  samples: {
    'POST /invites': () => ({ invitee_emails: address(), stream_ids: '[]' }),
    'DELETE /invites/{invite_id}': async (chat) => ({
      invite_id: String(await invited(ownerOf(chat))),
    }),
    'POST /invites/{invite_id}/resend': async (chat) => ({
      invite_id: String(await invited(ownerOf(chat))),
    }),
    'DELETE /invites/multiuse/{invite_id}': async (chat) => ({
      invite_id: String(await invited(ownerOf(chat), true)),
    }),
  },
  declared: {
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
    'two invitations, one of them revoked': async ({ people: { hamlet } }) => {
      await invited(hamlet);
      await hamlet.client.invites.revoke({ invite_id: await invited(hamlet) });
    },
  },
};
