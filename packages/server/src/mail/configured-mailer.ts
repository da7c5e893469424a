import type { Config } from '../config.ts';
import type { Mailer } from './mailer.ts';
import { outboxMailer } from './outbox-mailer.ts';
import { smtpMailer } from './smtp-mailer.ts';

/** Sends by SMTP if a server is configured, else writes files into the outbox. */
export const configuredMailer = ({ mail }: Pick<Config, 'mail'>): Mailer =>
  mail.smtp ? smtpMailer({ ...mail.smtp, from: mail.from }) : outboxMailer(mail);
