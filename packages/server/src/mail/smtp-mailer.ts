import { createTransport } from 'nodemailer';

import type { Config } from '../config.ts';
import { nodemailerMail } from './mail-headers.ts';
import { type Mailer, UndeliverableMail } from './mailer.ts';

type SmtpServer = NonNullable<Config['mail']['smtp']>;
type SmtpOptions = SmtpServer & { readonly from: string };

const CONNECT_MS = 10_000;
/** Without a byte from the server. */
const SILENCE_MS = 30_000;
const MAX_CONNECTIONS = 4;

const connection = ({ host, port, security, user, password }: SmtpServer) => ({
  host,
  port,
  secure: security === 'tls',
  requireTLS: security === 'starttls',
  ignoreTLS: security === 'none',
  ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
  connectionTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  dnsTimeout: CONNECT_MS,
  socketTimeout: SILENCE_MS,
  logger: false as const,
});

/** Connects and logs in, and sends nothing. Rejects with the reason of the SMTP server. */
export async function verifySmtp(server: SmtpServer): Promise<void> {
  const transport = createTransport(connection(server));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Sends mails to an SMTP server over at most four connections, which stay open for further mails. */
export function smtpMailer({ from, ...server }: SmtpOptions): Mailer {
  const transport = createTransport({
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    ...connection(server),
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail(nodemailerMail(mail, from));
      } catch (error) {
        throw isFinal(error)
          ? new UndeliverableMail((error as Error).message, { cause: error })
          : error;
      }
    },
    close: () => transport.close(),
  };
}

/**
 * The commands whose refusal concerns the mail. The operator can mend the refusal of another
 * command, such as a login.
 */
const ABOUT_MAIL: ReadonlySet<unknown> = new Set(['RCPT TO', 'DATA']);

function isFinal(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  return ABOUT_MAIL.has(command) && responseCode !== undefined && responseCode >= 500;
}
