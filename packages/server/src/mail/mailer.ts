import type { Mail } from './mail.ts';

export interface OutgoingMail extends Mail {
  /** The same in every attempt, so that a receiver can tell a repetition. */
  readonly id: string;
  /** UNIX time in seconds. */
  readonly sent_at: number;
}
/** The way mails leave the server. */
export interface Mailer {
  /** Resolves when the mail is handed over. Throws UndeliverableMail if another attempt is in vain. */
  readonly send: (mail: OutgoingMail) => Promise<void>;
  readonly close: () => void;
}

/** The SMTP server refuses this receiver or this mail for good. */
export class UndeliverableMail extends Error {
  override readonly name = 'UndeliverableMail';
}
