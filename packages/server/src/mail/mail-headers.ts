import type { OutgoingMail } from './mailer.ts';

/** A mail in the form of nodemailer, which encodes names and subject and folds long headers. */
export const nodemailerMail = (mail: OutgoingMail, from: string) => ({
  from: { name: mail.from_name, address: from },
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  date: new Date(mail.sent_at * 1000),
  messageId: `<${mail.id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
  // Programs that answer mails automatically, such as notices of absence, do not answer mails with
  // these headers.
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
