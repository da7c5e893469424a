import { roles } from '@bellhop/protocol';

import type { Sample } from '../../contract.fixture.ts';
import { systemGroupIds } from '../../model/user-groups/queries.ts';
import { newChannel, newGroup, type PermissionCases } from '../../permission-case.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

let invitees = 0;

/** Makes a request, with the right to make invitations for members. */
type MakeSample = (chat: TestChat) => Promise<Sample> | Sample;

const casesOf = (route: string, base: MakeSample): PermissionCases => {
  const as = (role: number) => async (chat: TestChat) => ({
    sample: { ...(await base(chat)), invite_as: String(role) },
  });
  return {
    [`${route}: invite owners`]: as(roles.owner),
    [`${route}: invite administrators`]: as(roles.admin),
    [`${route}: invite moderators`]: as(roles.moderator),
    [`${route}: subscribe the invited users`]: async (chat, caller) => {
      const { id } = await newChannel(chat, caller);
      return {
        channel_id: id,
        sample: { ...(await base(chat)), stream_ids: JSON.stringify([id]) },
      };
    },
    [`${route}: add the invited users to user groups`]: async (chat) => {
      const group_id = await newGroup(chat);
      return { group_id, sample: { ...(await base(chat)), group_ids: JSON.stringify([group_id]) } };
    },
  };
};

const byMail = () => ({ invitee_emails: `case${++invitees}@example.com`, stream_ids: '[]' });

async function linkOfMember({ people, server, realm }: TestChat): Promise<Sample> {
  const { 'role:members': members } = await systemGroupIds(server.app.db.kysely, realm.id);
  await people.desdemona.client.realms.update({ create_multiuse_invite_group: { new: members } });
  return {};
}

export const permissions: PermissionCases = {
  'POST /invites: invite users': async () => ({ sample: byMail() }),
  'POST /invites/multiuse: create an invitation link': async () => ({ sample: {} }),
  ...casesOf('POST /invites', byMail),
  ...casesOf('POST /invites/multiuse', linkOfMember),
};
