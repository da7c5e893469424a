/**
 * Why a phone rejects a notification: its shape is wrong, it is for another account or for a key that
 * the phone does not have, it cannot be decrypted, or its payload is of an unknown type.
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
