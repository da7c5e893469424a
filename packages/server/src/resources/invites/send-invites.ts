import { badRequest, foldCase, MAX_INVITEES } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Db, Tx } from '../../engine/call.ts';
import type { Actor, Realm } from '../../engine/caller.ts';
import type { Fail, Handlers } from '../../engine/resource.ts';
import { newSecret } from '../../engine/secrets.ts';
import { countMails } from '../../mail/count-mails.ts';
import { addressesIn, INVALID_ADDRESS, isMailAddress } from '../../mail/mail-address.ts';
import { DAILY_MAILS_TO_ADDRESS, mailsTo } from '../../mail/require-mails.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import { requireMayInvite } from '../../model/invites/access.ts';
import { checkedGrants } from '../../model/invites/grants.ts';
import { invitationMail } from '../../model/invites/invitation-mail.ts';
import * as queries from '../../model/invites/queries.ts';
import { addressRules } from '../../model/realm-domains/address-rules.ts';
import { requireRoom } from '../../model/require-room.ts';
import * as users from '../../model/users/queries.ts';
import { emitInvitesChanged } from './emit-invites-changed.ts';

/** An address, the reason why it was not invited, whether it belongs to a deactivated account. */
type Skipped = [address: string, reason: string, is_deactivated: boolean];
type InvitationFail = Fail<'INVITATION_FAILED'>;

/** `POST /invites` (spec, Send invitations). */
export const sendInvites: Handlers<'invites'>['send'] = async (call) => {
  const { app, params, fail } = call;
  const skipped = await call.change(async (change) => {
    const { db, actor, realm, user } = change;
    await requireMayInvite(db, actor, 'can_invite_users_group');
    const grants = await checkedGrants(db, actor, call);
    const { invited, members } = await invitees(db, { realm, fail }, params.invitee_emails);
    const reachable = await withinLimits(db, actor, call, invited);
    const rows = reachable.map((email) => ({ email, token: newSecret() }));
    await queries.insert(
      db,
      rows.map(({ email, token }) => ({
        ...grants,
        email,
        notify_referrer: params.notify_referrer_on_join,
        token_mac: app.secrets.mac(token),
      })),
    );
    await requireRoom(db, 'invite', { realm_id: realm.id, invited_by: user.id });
    const { expires_at } = grants;
    const mails = rows.map((row) => invitationMail({ realm, ...row, expires_at }, user));
    await enqueueMails(change, { app, realm }, mails);
    await emitInvitesChanged(change, realm, user.id);
    const exhausted = new Set(reachable);
    return [
      ...members,
      ...invited
        .filter((email) => !exhausted.has(email))
        .map((email): Skipped => [
          email,
          'Too many invitations were sent to this address today.',
          false,
        ]),
    ];
  });
  if (skipped.length > 0)
    return invitationFailed(fail, 'Not everybody could be invited; all others were.', {
      errors: skipped,
      sent_invitations: true,
    });
  return {};
};

/**
 * The addresses to invite, and those that have accounts already. Throws BAD_REQUEST without an address,
 * INVITATION_FAILED if one is malformed or not allowed, or all have accounts.
 */
async function invitees(
  db: Db,
  { realm, fail }: { readonly realm: Realm; readonly fail: InvitationFail },
  text: string,
) {
  const addresses = addressesIn(text);
  if (addresses.length === 0) throw badRequest('You must specify at least one email address.');
  if (addresses.length > MAX_INVITEES)
    throw badRequest(`You can invite at most ${MAX_INVITEES} people at once.`);
  const refusalOf = await addressRules(db, realm);
  const refused = addresses.flatMap((address): Skipped[] => {
    const reason = isMailAddress(address) ? refusalOf(address) : INVALID_ADDRESS;
    return reason === undefined ? [] : [[address, reason, false]];
  });
  if (refused.length > 0)
    return invitationFailed(fail, 'Some addresses are not valid, so no invitations were sent.', {
      errors: refused,
    });
  const accounts = new Map(
    (await users.byEmails(db, realm.id, addresses)).map((one) => [
      foldCase(one.delivery_email),
      one,
    ]),
  );
  const invited = addresses.filter((address) => !accounts.has(foldCase(address)));
  const members = addresses.flatMap((address): Skipped[] => {
    const account = accounts.get(foldCase(address));
    if (!account) return [];
    return account.is_active
      ? [[address, 'Already has an account.', false]]
      : [[address, 'Account has been deactivated.', true]];
  });
  if (invited.length === 0)
    return invitationFailed(
      fail,
      'Everybody has an account already, so no invitations were sent.',
      {
        errors: members,
      },
    );
  return { invited, members };
}

/**
 * The addresses that did not get too many invitations today. Throws INVITATION_FAILED if the user
 * or the realm would send too many.
 */
export async function withinLimits(
  db: Tx,
  { realm, user, now }: Actor,
  { app, fail }: { readonly app: Pick<App, 'config' | 'secrets'>; readonly fail: InvitationFail },
  addresses: readonly string[],
): Promise<string[]> {
  const { invitesOfUser, invitesOfRealm } = app.config.dailyLimits;
  const counted = { realm_id: realm.id, now };
  const count = addresses.length;
  for (const [subject, limit] of [
    [`invites of ${user.id}`, invitesOfUser],
    ['invites', invitesOfRealm],
  ] as const)
    if ((await countMails(db, { ...counted, subjects: [subject], count, limit })).size === 0)
      return invitationFailed(
        fail,
        'This would be more invitations than may be sent in a day, so none were sent.',
        { daily_limit_reached: true },
      );
  const subjectOf = (address: string) => mailsTo(app, address);
  const subjects = addresses.map(subjectOf);
  const allowed = await countMails(db, { ...counted, subjects, limit: DAILY_MAILS_TO_ADDRESS });
  const reachable = addresses.filter((address) => allowed.has(subjectOf(address)));
  if (reachable.length > 0) return reachable;
  return invitationFailed(fail, 'Too many invitations were sent to this address today.', {
    daily_limit_reached: true,
  });
}

interface Failure {
  readonly errors?: readonly Skipped[];
  readonly sent_invitations?: boolean;
  readonly daily_limit_reached?: boolean;
}

const invitationFailed = (fail: InvitationFail, message: string, failure: Failure) =>
  fail('INVITATION_FAILED', message, {
    errors: [],
    sent_invitations: false,
    daily_limit_reached: false,
    license_limit_reached: false,
    ...failure,
  });
