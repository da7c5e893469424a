/**
 * Why a phone shows nothing for a notification: it is not of the documented shape, is meant for
 * another account, cannot be decrypted, or says something this phone does not know.
 */
export type RefusalReason = 'malformed' | 'other_account' | 'undecryptable' | 'unknown_payload';

export class NotificationRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NotificationRefused';
    this.reason = reason;
  }
}
