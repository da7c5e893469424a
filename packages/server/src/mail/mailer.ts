import type { RealmId } from '@bellhop/protocol';

import type { Mail } from './mail.ts';

export interface OutgoingMail extends Mail {
  readonly realm_id: RealmId;
  /** The same in every attempt, so that a receiver can recognize a repetition. */
  readonly id: string;
  /** UNIX time in seconds. */
  readonly sent_at: number;
}
/** The way mails leave the server. */
export interface Mailer {
  /** Resolves when the mail is handed over. Throws UndeliverableMail if another attempt is in vain. */
  readonly send: (mail: OutgoingMail) => Promise<void>;
  /** The newest mails of a realm, the newest first, if they are kept where its owners may read them. */
  readonly kept?: ((realm_id: RealmId) => Promise<readonly OutgoingMail[]>) | undefined;
  readonly close: () => void;
}

/** The SMTP server refuses this receiver or this mail for good. */
export class UndeliverableMail extends Error {
  override readonly name = 'UndeliverableMail';
}
