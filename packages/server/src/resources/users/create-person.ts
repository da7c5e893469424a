import { badRequest } from '@bellhop/protocol';

import type { Handlers } from '../../engine/resource.ts';
import { personOf } from '../../engine/turns.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import { defaultIds } from '../../model/channels/channel-rows.ts';
import { settingsOf } from '../../model/realms/realm-settings.ts';
import { createUser } from '../../model/users/create-user.ts';
import { checkPassword } from '../../model/users/password-strength.ts';
import { hashPassword } from '../../model/users/passwords.ts';
import { personAddress, personName } from '../../model/users/person-details.ts';
import { welcomeMail } from '../../model/users/welcome-mail.ts';
import { endInvites } from '../invites/end-invites.ts';
import { joinChannels } from '../invites/join-channels.ts';
import { sendJoinMessages } from '../invites/send-join-messages.ts';
import { announceUser } from '../user-events/announce-user.ts';

/** `POST /users`: a member who joins the default channels and gets the usual welcome. */
export const createPerson: Handlers<'users'>['create'] = async (call) => {
  const { params, app } = call;
  const { user: caller } = call.before;
  if (!caller.can_create_users) throw badRequest('User not authorized to create users');
  await checkPassword(params.password);
  // Hashing is slow: no other change waits for it.
  const password_hash = await hashPassword(params.password, personOf(caller));
  return call.change(async (change) => {
    const { db, realm } = change;
    const full_name = await personName(db, realm, { name: params.full_name });
    const email = await personAddress(db, realm, params);
    const { user } = await createUser(
      db,
      { realm, secrets: app.secrets },
      { email, full_name, password_hash },
    );
    await announceUser(change, realm, user);
    const actor = { realm, user, now: app.now() };
    await joinChannels(change, actor, await defaultIds(db, realm.id));
    await sendJoinMessages(change, actor);
    if (settingsOf(realm).send_welcome_emails)
      await enqueueMails(change, { app, realm }, [welcomeMail(realm, user)]);
    await endInvites(change, realm, email);
    return { user_id: user.id };
  });
};
