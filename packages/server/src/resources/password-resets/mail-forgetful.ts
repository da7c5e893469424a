import { done } from '@bellhop/jobs';
import { RealmId } from '@bellhop/protocol';
import { z } from 'zod';

import { job } from '../../engine/job.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import {
  deactivatedAccountMail,
  resetPasswordMail,
} from '../../model/password-resets/password-reset-mails.ts';
import { newResetLink } from '../../model/password-resets/reset-link.ts';
import * as users from '../../model/users/queries.ts';

const Payload = z.object({
  realm_id: RealmId,
  /** The address that somebody gave, encrypted. */
  sealed: z.base64(),
});

/**
 * Sends the link to the person with the address that somebody gave. Sends nothing to an address without
 * an account, or to one of a bot.
 */
export const mailForgetful = job<z.output<typeof Payload>>({
  name: 'mail_forgetful',
  lane: 'mail',
  payload: Payload,
  key: ({ realm_id }) => String(realm_id),
  retry: [5, 60, 600],
  timeoutMs: 30_000,
  async run({ realm_id, sealed }, app) {
    const realm = await app.realms.byId(realm_id);
    if (!realm.is_active) return done();
    const address = app.secrets.open(Buffer.from(sealed, 'base64'));
    return done({
      write: (tx) =>
        app.changeIn(tx, realm, async (change) => {
          const user = await users.byEmail(change.db, realm.id, address);
          if (!user || user.is_bot) return;
          const context = { secrets: app.secrets, realm, now: app.now() };
          const mail = user.is_active
            ? resetPasswordMail(
                { realm, user },
                { url: await newResetLink(change.db, context, user) },
              )
            : deactivatedAccountMail({ realm, user });
          await enqueueMails(change, { app, realm }, [mail]);
        }),
    });
  },
});
