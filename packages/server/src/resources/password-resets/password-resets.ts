import { limitedAddress } from '@bellhop/http';
import { badRequest } from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { mailAddress } from '../../mail/mail-address.ts';
import { DAILY_MAILS_TO_ADDRESS, mailsTo, requireMails } from '../../mail/require-mails.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import { resetPasswordMail } from '../../model/password-resets/password-reset-mails.ts';
import { newResetLink } from '../../model/password-resets/reset-link.ts';
import { personToManage } from '../../model/users/manage-access.ts';
import { confirmPasswordReset } from './confirm-password-reset.ts';
import { mailForgetful } from './mail-forgetful.ts';

const handlers: Handlers<'passwordResets'> = {
  async request({ app, realm, ip, params, db, enqueue }) {
    if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
    const address = mailAddress(params.email);
    await requireMails(db, { realm_id: realm.id, now: app.now() }, [
      [
        `mails for ${app.secrets.mac(limitedAddress(ip)).toString('base64')}`,
        app.config.dailyLimits.mailsOfAddress,
      ],
      [mailsTo(app, address), DAILY_MAILS_TO_ADDRESS],
    ]);
    // A job looks for the account, so that the time of the answer does not tell whether there is one.
    const sealed = app.secrets.seal(address).toString('base64');
    await enqueue(mailForgetful, { realm_id: realm.id, sealed });
    return {};
  },

  async send({ app, actor, params, db, enqueueAll }) {
    const { realm, user: by, now } = actor;
    const user = await personToManage(db, by, params.user_id);
    if (!user.is_active)
      throw badRequest('The account is deactivated: reactivate it before you send a link.');
    await requireMails(db, { realm_id: realm.id, now }, [
      [mailsTo(app, user.delivery_email), DAILY_MAILS_TO_ADDRESS],
    ]);
    const url = await newResetLink(db, { secrets: app.secrets, realm, now }, user);
    const mail = resetPasswordMail({ realm, user }, { url, by });
    await enqueueMails({ enqueueAll }, { app, realm }, [mail]);
    app.log.info(
      { realm_id: realm.id, user_id: user.id, by: by.id },
      'an administrator sent a link to choose a new password',
    );
    return {};
  },

  confirm: confirmPasswordReset,
};

export const passwordResets: Resource<'passwordResets'> = {
  handlers,
  jobs: () => [mailForgetful],
};
