import { limitedAddress } from '@bellhop/http';
import { ApiError, badRequest } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { newSecret } from '../../engine/secrets.ts';
import { isMailAddress } from '../../mail/mail-address.ts';
import { DAILY_MAILS_TO_ADDRESS, mailsTo, requireMails } from '../../mail/require-mails.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import { requireAllowedAddress } from '../realm-domains/address-rules.ts';
import * as users from '../users/queries.ts';
import { confirmationMail, knownAddressMail } from './invitation-mail.ts';
import { noInvite, type OpenInvite, openInvite } from './open-invite.ts';
import * as queries from './queries.ts';

interface RequestContext {
  readonly app: App;
  readonly realm: Realm;
  readonly ip: string;
  readonly change: <T>(work: (change: Change<never>) => Promise<T>) => Promise<T>;
}

/**
 * Sends an invitation to somebody with a reusable link, whose address the mail confirms. Says nothing
 * about whether the address has an account; the mail does. Throws BAD_REQUEST, RATE_LIMIT_HIT.
 */
export async function requestInvite(
  context: RequestContext,
  { key, email }: { readonly key: string; readonly email: string },
): Promise<void> {
  const { app, realm, ip, change } = context;
  const { mailsOfAddress, invitesOfRealm } = app.config.dailyLimits;
  const address = email.trim();
  if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
  if (!isMailAddress(address)) throw badRequest('Enter a valid email address.');
  await change(async ({ db, enqueueAll }) => {
    const open = await openInvite(db, { app, realm }, key);
    if (!open) throw noInvite();
    if (open.invite.email !== null)
      throw badRequest('This link is for one person: accept it (POST /invites/accept).');
    await requireAllowedAddress(db, realm, address);
    await requireMails(db, { realm_id: realm.id, now: app.now() }, [
      [`mails for ${app.secrets.mac(limitedAddress(ip)).toString('base64')}`, mailsOfAddress],
      ['mails by links', invitesOfRealm],
      [mailsTo(app, address), DAILY_MAILS_TO_ADDRESS],
    ]);
    const [account] = await users.byEmails(db, realm.id, [address]);
    const mail = account
      ? knownAddressMail(realm, { email: address, is_active: account.is_active })
      : confirmationMail(await insertInvite(db, context, { ...open, email: address }));
    await enqueueMails({ enqueueAll }, { app, realm }, [mail]);
  });
}

/** An invitation with the promises of the link. It ends with the link. */
async function insertInvite(
  db: Change['db'],
  { app, realm }: RequestContext,
  { invite: link, email }: OpenInvite & { readonly email: string },
) {
  const token = newSecret();
  const now = app.now();
  const soon = now + app.config.inviteMinutes * 60;
  const expires_at = Math.min(soon, link.expires_at ?? soon);
  const { id, ...promises } = link;
  await queries.insert(db, [
    {
      ...promises,
      link_id: id,
      email,
      invited_at: now,
      expires_at,
      token_mac: app.secrets.mac(token),
      token_sealed: null,
    },
  ]);
  return { realm, email, token, expires_at };
}
