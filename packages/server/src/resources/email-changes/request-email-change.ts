import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Actor, User } from '../../engine/caller.ts';
import { newSecret } from '../../engine/secrets.ts';
import { mailAddress } from '../../mail/mail-address.ts';
import type { Mail } from '../../mail/mail.ts';
import { DAILY_MAILS_TO_ADDRESS, mailsTo, requireMails } from '../../mail/require-mails.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import { requireMayChangeEmail } from '../../model/email-changes/access.ts';
import { confirmEmailMail, takenEmailMail } from '../../model/email-changes/email-change-mails.ts';
import * as queries from '../../model/email-changes/queries.ts';
import { requireAllowedAddress } from '../../model/realm-domains/address-rules.ts';
import { addressInUse } from '../../model/users/person-details.ts';
import * as users from '../../model/users/queries.ts';
import { usersByAddress } from '../../model/users/users-by-address.ts';

const SECONDS_TO_CONFIRM = 86_400;

/**
 * Sends a mail to the new address of a user, which confirms it; an earlier request ends. Does
 * nothing if it is their address already. The response is the same if a user whom they may not see
 * has the address; only the mail differs. Throws BAD_REQUEST, RATE_LIMIT_HIT.
 */
export async function requestEmailChange(
  change: Pick<Change, 'db' | 'enqueueAll'>,
  actor: Actor,
  { app, email }: { readonly app: App; readonly email: string },
): Promise<void> {
  const { db } = change;
  const { realm, user, now } = actor;
  if (email.trim() === user.delivery_email) return;
  requireMayChangeEmail(realm, user);
  const new_email = mailAddress(email);
  await requireAllowedAddress(db, realm, new_email);
  const owner = await ownerOf(db, actor, new_email);
  await requireMails(db, { realm_id: realm.id, now }, [
    [`address changes of ${user.id}`, app.config.dailyLimits.emailChangesOfUser],
    [mailsTo(app, new_email), DAILY_MAILS_TO_ADDRESS],
  ]);
  const mail = owner
    ? takenEmailMail({ realm, user, new_email })
    : await replaceEmailChange(db, actor, { app, new_email });
  await enqueueMails(change, { app, realm }, [mail]);
}

/**
 * The user with this address, if this user must not learn that it is taken. Throws BAD_REQUEST if
 * the address is taken by somebody whom this user sees.
 */
async function ownerOf(
  db: Change['db'],
  { realm, user }: Actor,
  email: string,
): Promise<User | undefined> {
  const [owner] = await users.byEmails(db, realm.id, [email]);
  if (!owner || owner.id === user.id) return undefined;
  const seen = await usersByAddress(db, { realm, viewer: user }, [email]);
  if (seen.users.length > 0) throw addressInUse(email);
  return owner;
}

/** Stores the change in place of an earlier one; returns the mail that confirms it. */
async function replaceEmailChange(
  db: Change['db'],
  { realm, user, now }: Actor,
  { app, new_email }: { readonly app: Pick<App, 'secrets'>; readonly new_email: string },
): Promise<Mail> {
  const token = newSecret();
  await queries.removeExpired(db, realm.id, now);
  await queries.replace(db, {
    realm_id: realm.id,
    user_id: user.id,
    former_email: user.delivery_email,
    new_email,
    expires_at: now + SECONDS_TO_CONFIRM,
    token_mac: app.secrets.mac(token),
  });
  return confirmEmailMail({ realm, user, new_email }, token);
}
