import { badRequest, type Invite, roles } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Realm } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { newSecret } from '../../engine/secrets.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import {
  mayInviteAs,
  requireManages,
  requireMayInvite,
  requireMember,
} from '../../model/invites/access.ts';
import { checkedGrants } from '../../model/invites/grants.ts';
import { invitationMail, invitationUrl } from '../../model/invites/invitation-mail.ts';
import * as queries from '../../model/invites/queries.ts';
import type { SentInvite } from '../../model/invites/queries.ts';
import { requireRoom } from '../../model/require-room.ts';
import * as users from '../../model/users/queries.ts';
import { acceptInvite } from './accept-invite.ts';
import { emitInvitesChanged } from './emit-invites-changed.ts';
import { requestInvite } from './request-invite.ts';
import { sendInvites, withinLimits } from './send-invites.ts';
import { sweepInvites } from './sweep-invites.ts';

const handlers: Handlers<'invites'> = {
  async list({ app, realm, user, actor: { now }, db }) {
    requireMember(user);
    const mine = user.role > roles.admin ? { invited_by: user.id } : {};
    const rows = await queries.listed(db, realm.id, { now, ...mine });
    return { invites: rows.map((row) => inviteRecord(row, { app, realm })) };
  },

  send: sendInvites,

  async revoke({ actor: { now }, realm, user, params, db, emit }) {
    const which = { id: params.invite_id, isLink: false, now };
    const invite = requireManages(user, await queries.toChange(db, realm.id, which));
    await queries.remove(db, invite);
    await emitInvitesChanged({ db, emit }, realm, invite.invited_by);
    return {};
  },

  async resend(call) {
    const { app, actor, params, db, emit, enqueueAll } = call;
    const { realm, user, now } = actor;
    const which = { id: params.invite_id, isLink: false, now };
    const invite = requireManages(user, await queries.toChange(db, realm.id, which));
    const inviter = await users.byId(db, realm.id, invite.invited_by);
    if (!inviter || invite.email === null) throw new Error(`Invitation ${invite.id} is damaged`);
    if (!mayInviteAs(inviter, invite.invited_as))
      throw badRequest(
        `${inviter.full_name} may no longer invite people with this role: revoke the invitation and send your own.`,
      );
    const [email = ''] = await withinLimits(db, actor, call, [invite.email]);
    const token = newSecret();
    const { invited_at } = invite;
    const expires_at = invite.expires_at === null ? null : now + invite.expires_at - invited_at;
    const renewed = { invited_at: now, expires_at, token_mac: app.secrets.mac(token) };
    await queries.renew(db, invite, renewed);
    const mail = invitationMail({ realm, email, token, expires_at }, inviter);
    await enqueueMails({ enqueueAll }, { app, realm }, [mail]);
    await emitInvitesChanged({ db, emit }, realm, invite.invited_by);
    return {};
  },

  async createLink({ app, actor, realm, user, params, db, emit }) {
    await requireMayInvite(db, actor, 'create_multiuse_invite_group');
    const grants = await checkedGrants(db, actor, { app, params });
    const token = newSecret();
    const { secrets } = app;
    const secret = { token_mac: secrets.mac(token), token_sealed: secrets.seal(token) };
    await queries.insert(db, [{ ...grants, ...secret, notify_referrer: true }]);
    await requireRoom(db, 'invite', { realm_id: realm.id, invited_by: user.id });
    await emitInvitesChanged({ db, emit }, realm, user.id);
    return { invite_link: invitationUrl(realm, token) };
  },

  async revokeLink({ actor: { now }, realm, user, params, db, emit }) {
    const which = { id: params.invite_id, isLink: true, now };
    const link = requireManages(user, await queries.toChange(db, realm.id, which));
    await queries.remove(db, link);
    await emitInvitesChanged({ db, emit }, realm, link.invited_by);
    return {};
  },

  request: requestInvite,
  accept: acceptInvite,
};

export const invites: Resource<'invites'> = { handlers, jobs: () => [sweepInvites] };

function inviteRecord(
  row: SentInvite,
  { app, realm }: { app: Pick<App, 'secrets'>; realm: Realm },
): Invite {
  const invite = {
    id: row.id,
    invited_by_user_id: row.invited_by,
    invited: row.invited_at,
    expiry_date: row.expires_at,
    invited_as: row.invited_as,
  };
  const { email, notify_referrer: notify_referrer_on_join, token_sealed } = row;
  if (email !== null) return { ...invite, is_multiuse: false, email, notify_referrer_on_join };
  if (token_sealed === null) throw new Error(`The link ${row.id} has no secret`);
  const link_url = invitationUrl(realm, app.secrets.open(token_sealed));
  return { ...invite, is_multiuse: true, link_url };
}
