import { badRequest, type ChannelId, type EventType, type Role, roles } from '@bellhop/protocol';

import type { Db, LockedChange } from '../../engine/call.ts';
import type { Actor, Realm } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import * as channelRows from '../../model/channels/channel-rows.ts';
import { grantsNow } from '../../model/invites/grants.ts';
import {
  noInvite,
  type OpenInvite,
  openInvite,
  requireNoAccount,
} from '../../model/invites/open-invite.ts';
import { requireAllowedAddress } from '../../model/realm-domains/address-rules.ts';
import { settingsOf } from '../../model/realms/realm-settings.ts';
import { createUser } from '../../model/users/create-user.ts';
import { checkPassword } from '../../model/users/password-strength.ts';
import { hashPassword } from '../../model/users/passwords.ts';
import { personName } from '../../model/users/person-details.ts';
import { welcomeMail } from '../../model/users/welcome-mail.ts';
import { offeredGroups } from '../default-channel-groups/offered-groups.ts';
import { announceUser } from '../user-events/announce-user.ts';
import { addNewMember } from '../user-groups/add-new-member.ts';
import { endInvites } from './end-invites.ts';
import { joinChannels } from './join-channels.ts';
import { sendJoinMessages } from './send-join-messages.ts';

/** The events of a person who joins. */
type JoinEvent = Extract<
  EventType,
  'realm_user' | 'user_group' | 'stream' | 'subscription' | 'message' | 'invites_changed'
>;
/**
 * Creates the account of somebody with an invitation by e-mail, with all that it grants. Throws
 * BAD_REQUEST for an invalid invitation, a reusable link, a name or a password that is not
 * acceptable, a default channel group that is not offered, and an address that has an account.
 */
export const acceptInvite: Handlers<'invites'>['accept'] = async (call) => {
  const { app, params, before } = call;
  const { key, full_name, password, default_stream_groups } = params;
  const check = async (inside: Db, realm: Realm) => {
    const found = await openInvite(inside, { app, realm }, key);
    if (!found) throw noInvite();
    const { email } = found.invite;
    if (email === null)
      throw badRequest(
        'This link is for several people: ask for a mail with it (POST /invites/request), and use the key in that mail.',
      );
    await requireAllowedAddress(inside, realm, email);
    await requireNoAccount(inside, realm, email);
    const { invited_as } = found.invite;
    return {
      ...found,
      email,
      full_name: await personName(inside, realm, { name: full_name }),
      chosen: await chosenChannels(inside, { realm, invited_as }, default_stream_groups),
    };
  };
  await check(call.db, before.realm);
  await checkPassword(password);
  // Hashing is slow. It runs outside of the transaction, and only for a request with a valid
  // invitation.
  const password_hash = await hashPassword(password, key);
  return call.change(async (joining) => {
    const { realm } = joining;
    const { email, full_name: name, chosen, ...open } = await check(joining.db, realm);
    const { user, api_key } = await createUser(
      joining.db,
      { realm, secrets: app.secrets },
      { email, full_name: name, role: open.invite.invited_as, password_hash },
    );
    await announceUser(joining, realm, user);
    const actor = { realm, user, now: app.now() };
    await giveGrants(joining, actor, { ...open, chosen });
    await sendJoinMessages(joining, actor, {
      // Only administrators write a text of their own.
      welcomeText:
        open.inviter && open.inviter.role > roles.admin ? null : open.invite.welcome_text,
      told: open.invite.notify_referrer ? open.inviter : undefined,
    });
    if (settingsOf(realm).send_welcome_emails)
      await enqueueMails(joining, { app, realm }, [welcomeMail(realm, user)]);
    await endInvites(joining, realm, email);
    return { user_id: user.id, email: user.delivery_email, api_key };
  });
};

/** The channels of default channel groups. Throws BAD_REQUEST for an unknown group, and to guests. */
async function chosenChannels(
  db: Db,
  { realm, invited_as }: { readonly realm: Pick<Realm, 'id'>; readonly invited_as: Role },
  names: readonly string[],
): Promise<ChannelId[]> {
  if (names.length === 0) return [];
  if (invited_as === roles.guest) throw badRequest('Not allowed for guest users');
  const groups = new Map((await offeredGroups(db, realm.id)).map((group) => [group.name, group]));
  return names.flatMap((name) => {
    const group = groups.get(name);
    if (!group) throw badRequest(`Invalid default channel group ${name}`);
    return group.streams;
  });
}

async function giveGrants(
  change: LockedChange<JoinEvent>,
  actor: Actor,
  { invite, inviter, chosen }: OpenInvite & { readonly chosen: readonly ChannelId[] },
): Promise<void> {
  const { db } = change;
  const { realm } = actor;
  // Somebody who signs up without an invitation is granted nothing but the default channels.
  const granted = inviter
    ? await grantsNow(db, { realm, user: inviter }, invite)
    : { channels: [], groups: [] };
  await addNewMember(change, actor, granted.groups);
  const byDefault = invite.include_default_channels
    ? await channelRows.defaultIds(db, realm.id)
    : [];
  const channels = [...new Set([...byDefault, ...granted.channels, ...chosen])];
  await joinChannels(change, actor, channels);
}
