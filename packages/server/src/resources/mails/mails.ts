import type { Handlers, Resource } from '../../engine/resource.ts';
import type { OutgoingMail } from '../../mail/mailer.ts';
import { mailPath } from '../../model/mails/mail-ticket.ts';
import { findMissedMessages } from './missed/find-missed-messages.ts';
import { sendMissedMail } from './missed/send-missed-mail.ts';

const kept = ({ id, to, from_name, subject, sent_at }: OutgoingMail) => ({
  id,
  to,
  from_name,
  subject,
  sent_at,
});

const handlers: Handlers<'mails'> = {
  async list({ app: { mailer }, realm }) {
    const found = (await mailer.kept?.(realm.id)) ?? [];
    return { is_kept: mailer.kept !== undefined, mails: found.map(kept) };
  },

  async get({ app, realm, params: { mail_id }, fail }) {
    const found = (await app.mailer.kept?.(realm.id))?.find(({ id }) => id === mail_id);
    if (!found) return fail('NOT_FOUND', 'This mail is not in the outbox, or no longer.');
    return { mail: { ...kept(found), text: found.text, html_path: mailPath(app, found) } };
  },
};

export const mails: Resource<'mails'> = {
  handlers,
  jobs: (config) => [findMissedMessages, sendMissedMail(config)],
};
