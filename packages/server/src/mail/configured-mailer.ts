import type { Config } from '../config.ts';
import type { Mailer } from './mailer.ts';
import { outboxMailer } from './outbox-mailer.ts';

/** Sends by SMTP if a server is configured, else writes files into the outbox. */
export async function configuredMailer({ mail }: Pick<Config, 'mail'>): Promise<Mailer> {
  if (!mail.smtp) return outboxMailer(mail);
  const { smtpMailer } = await import('./smtp-mailer.ts');
  return smtpMailer({ ...mail.smtp, from: mail.from });
}
