import { failed, type Finding, ok, warning } from '@bellhop/postgres';

import type { Config } from '../config.ts';
import { isLoopback, troubleOf } from './reach.ts';

/** Checks that the SMTP server takes a connection and the login. Sends no mail. */
export async function checkMail({
  mail: { smtp, from, outbox },
}: Pick<Config, 'mail'>): Promise<readonly Finding[]> {
  if (!smtp)
    return [
      warning(
        'mail',
        `no SMTP server is set: mails are files in ${outbox}, and nobody gets one`,
        'Set BELLHOP_SMTP_HOST and the variables beside it (docs/mail.md).',
      ),
    ];
  const { host, port, security, user } = smtp;
  const place = `${host}:${port}`;
  const { verifySmtp } = await import('../mail/smtp-mailer.ts');
  const findings = await verifySmtp(smtp).then(
    () => [ok('mail', `${place} takes mails${user === undefined ? '' : `, as ${user}`}`)],
    (error: unknown) => [failed('mail', `${place}: ${whatOf(error, place)}`, fixFor(error, place))],
  );
  if (security === 'none' && !isLoopback(host))
    findings.push(
      warning(
        'mail: encryption',
        `mails with links that sign people in go to ${host} unencrypted`,
        'Set BELLHOP_SMTP_SECURITY to starttls or tls, unless the network is yours alone.',
      ),
    );
  if (isLoopback(from.replace(/.*@/, '')))
    findings.push(
      warning(
        'mail: sender',
        `mails come from ${from}, which others refuse`,
        'Set BELLHOP_MAIL_FROM to an address of your domain.',
      ),
    );
  return findings;
}

const codeOf = (error: unknown) => (error as { code?: string }).code;
const whatOf = (error: unknown, place: string) => troubleOf(error, place).what;

function fixFor(error: unknown, place: string): string {
  if (codeOf(error) === 'EAUTH')
    return 'Check BELLHOP_SMTP_USER and BELLHOP_SMTP_PASSWORD with the provider of the mail server.';
  if (codeOf(error) === 'ETLS' || /STARTTLS|wrong version number|SSL/i.test(String(error)))
    return 'Set BELLHOP_SMTP_SECURITY to what this port speaks: starttls (mostly 587), tls (mostly 465), or none.';
  const { fix } = troubleOf(error, place);
  return `${fix.charAt(0).toUpperCase()}${fix.slice(1)}`;
}
