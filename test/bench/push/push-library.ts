import type { TokenKind } from '@bellhop/protocol';
import type { ApnsKey, ServiceAccount } from '@bellhop/push-simulator';

/**
 * The answer of a library to its caller about one notification; `dead`: the token is not valid any
 * more.
 */
export type SendResult = 'accepted' | 'dead' | 'failed';

/** A push provider, as a library reaches it. */
export interface LibraryTarget {
  /** Address of the provider on this machine. */
  readonly url: string;
  /** PEM of the certificate authority to trust. */
  readonly ca: string;
  readonly apns: ApnsKey;
  readonly fcm: ServiceAccount;
}

/** A library that sends to one provider, with one notification per call. */
export interface PushLibrary {
  readonly name: string;
  readonly kind: TokenKind;
  /** Opens a client; `send` never rejects. */
  readonly open: (target: LibraryTarget) => Promise<LibraryClient>;
}
export interface LibraryClient {
  readonly send: (token: string, text: string) => Promise<SendResult>;
}

/** The body of a notification, as the bouncer sends it. */
export const payloadOf = (encrypted_data: string) => ({
  push_account_id: 1,
  encrypted_data,
});

/** The reasons by which APNs calls a token dead. */
export const apnsResult = (reason: unknown): SendResult =>
  ['BadDeviceToken', 'Unregistered', 'ExpiredToken'].includes(String(reason)) ? 'dead' : 'failed';
