import { limitedAddress } from '@bellhop/http';
import { badRequest, roles } from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { newSecret } from '../../engine/secrets.ts';
import { mailAddress } from '../../mail/mail-address.ts';
import { DAILY_MAILS_TO_ADDRESS, mailsTo, requireMails } from '../../mail/require-mails.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import { confirmationMail, knownAddressMail } from '../../model/invites/invitation-mail.ts';
import { noInvite, openInvite } from '../../model/invites/open-invite.ts';
import * as queries from '../../model/invites/queries.ts';
import type { InviteRow, NewInvite } from '../../model/invites/queries.ts';
import { requireAllowedAddress } from '../../model/realm-domains/address-rules.ts';
import * as realms from '../../model/realms/queries.ts';
import { settingsOf } from '../../model/realms/realm-settings.ts';
import * as users from '../../model/users/queries.ts';

interface RequestContext {
  readonly app: App;
  readonly realm: Realm;
  readonly ip: string;
  readonly change: <T>(work: (change: Change<never>) => Promise<T>) => Promise<T>;
}

/**
 * Sends an invitation to somebody with a reusable link or, in a realm that requires no invitations,
 * without one. The mail confirms the address. Says nothing about whether the address has an account; the
 * mail does. Throws BAD_REQUEST, RATE_LIMIT_HIT.
 */
export async function requestInvite(
  context: RequestContext,
  { key, email }: { readonly key?: string | undefined; readonly email: string },
): Promise<void> {
  const { app, realm, ip, change } = context;
  const { mailsOfAddress, invitesOfRealm } = app.config.dailyLimits;
  if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
  const address = mailAddress(email);
  await change(async ({ db, enqueueAll }) => {
    // The link of the key may be about to be revoked.
    await realms.lock(db, realm.id);
    const grants = key === undefined ? ownGrants(realm) : await linkGrants(db, context, key);
    await requireAllowedAddress(db, realm, address);
    await requireMails(db, { realm_id: realm.id, now: app.now() }, [
      [`mails for ${app.secrets.mac(limitedAddress(ip)).toString('base64')}`, mailsOfAddress],
      ['mails by links', invitesOfRealm],
      [mailsTo(app, address), DAILY_MAILS_TO_ADDRESS],
    ]);
    const [account] = await users.byEmails(db, realm.id, [address]);
    const mail = account
      ? knownAddressMail(realm, { email: address, is_active: account.is_active })
      : confirmationMail(await insertInvite(db, context, { ...grants, email: address }));
    await enqueueMails({ enqueueAll }, { app, realm }, [mail]);
  });
}

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
  db: Change['db'],
  context: Pick<RequestContext, 'app' | 'realm'>,
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
  db: Change['db'],
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
