import { limitedAddress } from '@bellhop/http';
import { badRequest, roles } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { LockedTx } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import { newSecret } from '../../engine/secrets.ts';
import { mailAddress } from '../../mail/mail-address.ts';
import { DAILY_MAILS_TO_ADDRESS, mailsTo, requireMails } from '../../mail/require-mails.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import { confirmationMail, knownAddressMail } from '../../model/invites/invitation-mail.ts';
import { noInvite, openInvite } from '../../model/invites/open-invite.ts';
import * as queries from '../../model/invites/queries.ts';
import type { InviteRow, NewInvite } from '../../model/invites/queries.ts';
import { requireAllowedAddress } from '../../model/realm-domains/address-rules.ts';
import { settingsOf } from '../../model/realms/realm-settings.ts';
import * as users from '../../model/users/queries.ts';

interface RequestContext {
  readonly app: App;
  readonly realm: Realm;
}

/**
 * Sends an invitation to somebody with a reusable link or, in a realm that requires no invitations,
 * without one. The mail confirms the address. Says nothing about whether the address has an account; the
 * mail does. Throws BAD_REQUEST, RATE_LIMIT_HIT.
 */
export const requestInvite: Handlers<'invites'>['request'] = async (call) => {
  const { app, realm, ip, params, db } = call;
  const { mailsOfAddress, invitesOfRealm } = app.config.dailyLimits;
  const address = mailAddress(params.email);
  const grants =
    params.key === undefined ? ownGrants(realm) : await linkGrants(db, call, params.key);
  await requireAllowedAddress(db, realm, address);
  await requireMails(db, { realm_id: realm.id, now: app.now() }, [
    [`mails for ${app.secrets.mac(limitedAddress(ip)).toString('base64')}`, mailsOfAddress],
    ['mails by links', invitesOfRealm],
    [mailsTo(app, address), DAILY_MAILS_TO_ADDRESS],
  ]);
  const [account] = await users.byEmails(db, realm.id, [address]);
  const mail = account
    ? knownAddressMail(realm, { email: address, is_active: account.is_active })
    : confirmationMail(await insertInvite(db, call, { ...grants, email: address }));
  await enqueueMails(call, { app, realm }, [mail]);
  return {};
};

type RequestedGrants = Pick<
  NewInvite,
  | 'invited_by'
  | 'invited_as'
  | 'channel_ids'
  | 'group_ids'
  | 'include_default_channels'
  | 'notify_referrer'
  | 'welcome_text'
  | 'link_id'
> &
  Pick<InviteRow, 'expires_at'>;

/** The grants of a reusable link. */
async function linkGrants(
  db: LockedTx,
  context: RequestContext,
  key: string,
): Promise<RequestedGrants> {
  const open = await openInvite(db, context, key);
  if (!open) throw noInvite();
  const { id: link_id, email, ...grants } = open.invite;
  if (email !== null)
    throw badRequest('This link is for one person: accept it (POST /invites/accept).');
  return { ...grants, link_id };
}

/** What the realm gives everybody who joins. Throws BAD_REQUEST if it requires invitations. */
function ownGrants(realm: Realm): RequestedGrants {
  if (settingsOf(realm).invite_required)
    throw badRequest('You need an invitation to join this organization.');
  return {
    invited_by: null,
    invited_as: roles.member,
    channel_ids: [],
    group_ids: [],
    include_default_channels: true,
    notify_referrer: false,
    welcome_text: null,
    link_id: null,
    expires_at: null,
  };
}

/** An invitation with these grants. It ends with the link. */
async function insertInvite(
  db: LockedTx,
  { app, realm }: RequestContext,
  { email, ...grants }: RequestedGrants & { readonly email: string },
) {
  const token = newSecret();
  const now = app.now();
  const soon = now + app.config.inviteMinutes * 60;
  const expires_at = Math.min(soon, grants.expires_at ?? soon);
  await queries.insert(db, [
    {
      ...grants,
      realm_id: realm.id,
      email,
      invited_at: now,
      expires_at,
      token_mac: app.secrets.mac(token),
      token_sealed: null,
    },
  ]);
  return { realm, email, token, expires_at };
}
