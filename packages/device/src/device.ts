import type { Client } from '@bellhop/client';
import type { PushPayload, PushRegistration, WebPushKeys } from '@bellhop/protocol';
import {
  createPhoneSealing,
  type DeviceKey,
  parsePublicKey,
  sealedBoxPayloads,
  sealJson,
} from '@bellhop/push-crypto/phone';

import { Inbox, type MessagePush } from './inbox.ts';
import { openNotification } from './open-notification.ts';
import { registerDevice } from './register-device.ts';

export type { MessagePush } from './inbox.ts';
export * from './notification-refused.ts';
export { type RefusalCode, RegistrationRefused } from './register-device.ts';
export type { Client } from '@bellhop/client';
export type { PushPayload, WebPushKeys } from '@bellhop/protocol';
export type { DeviceKey } from '@bellhop/push-crypto';

export type DeviceToken =
  | {
      readonly kind: 'fcm';
      readonly token: string;
      /** A bouncer with several Firebase projects chooses by it; without it, its default project. */
      readonly androidAppId?: string | undefined;
    }
  | { readonly kind: 'apns'; readonly token: string; readonly iosAppId: string }
  /** A browser: the endpoint and the keys of its push subscription. */
  | { readonly kind: 'webpush'; readonly token: string; readonly keys: WebPushKeys };

/** The number and key of an account on a phone, as JSON. They decrypt the account's notifications. */
export interface DeviceIdentity {
  /** Decimal digits of a signed 64-bit integer. */
  readonly push_account_id: string;
  readonly key: DeviceKey;
}

export interface DeviceOptions {
  /** The chat server, logged in as the owner of the phone. */
  readonly client: Client;
  readonly token: DeviceToken;
  /** The bouncer's public key in base64, built into the app. Registrations are sealed for it. */
  readonly bouncerPublicKey: string;
  /** The identity of an earlier run; a new one by default. */
  readonly identity?: DeviceIdentity;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
}

const sealing = createPhoneSealing();
const cipher = sealedBoxPayloads(sealing);

/** A new account on a phone: a random number and a key pair. */
export function newIdentity(): DeviceIdentity {
  const [id = 0n] = crypto.getRandomValues(new BigInt64Array(1));
  return { push_account_id: String(id), key: cipher.createKey() };
}

/** A simulated phone. Only the phone can read its notifications; only the bouncer learns its token. */
export class Device {
  readonly identity: DeviceIdentity;
  readonly pushAccountId: bigint;
  readonly #options: DeviceOptions;
  readonly #inbox = new Inbox();

  constructor(options: DeviceOptions) {
    this.#options = options;
    this.identity = options.identity ?? newIdentity();
    this.pushAccountId = BigInt(this.identity.push_account_id);
  }

  /**
   * Registers with the chat server and waits until the bouncer accepts. Does nothing if the phone is
   * registered already. Throws RegistrationRefused, the server's ApiError, or after `timeoutMs` a TimeoutError.
   */
  async register({ timeoutMs = 60_000 }: { timeoutMs?: number } = {}): Promise<void> {
    const { client, token, bouncerPublicKey } = this.#options;
    const request = {
      token_kind: token.kind,
      push_account_id: this.pushAccountId,
      push_public_key: this.identity.key.push_key,
      bouncer_public_key: bouncerPublicKey,
      encrypted_push_registration: this.#sealedRegistration(),
    };
    await registerDevice(client, request, AbortSignal.timeout(timeoutMs));
  }

  /**
   * Decrypts the data that the provider delivers to the app: the body of an APNs notification or
   * the text of a browser's push event (a text keeps the account number exact), or the data of an
   * FCM message. Throws NotificationRefused.
   */
  receive(notification: string | Readonly<Record<string, unknown>>): PushPayload {
    const { key } = this.identity;
    const recipient = { pushAccountId: this.pushAccountId, key, cipher };
    const payload = openNotification(notification, recipient);
    this.#inbox.add(payload);
    return payload;
  }

  /** All notifications that arrived, oldest first. */
  get inbox(): readonly PushPayload[] {
    return this.#inbox.received;
  }

  /** The messages that a phone still shows: arrived and not removed since. */
  get shown(): readonly MessagePush[] {
    return this.#inbox.shown;
  }

  /** Calls `listener` with each notification from now on. Returns a function that ends it. */
  onPush(listener: (payload: PushPayload) => void): () => void {
    return this.#inbox.listen(listener);
  }

  /** The first notification that matches, past or future. Rejects after `timeoutMs`. */
  waitFor(
    matches: (payload: PushPayload) => boolean,
    { timeoutMs = 30_000 }: { timeoutMs?: number } = {},
  ): Promise<PushPayload> {
    return this.#inbox.waitFor(matches, timeoutMs);
  }

  #sealedRegistration(): string {
    const { token, bouncerPublicKey, now = Date.now } = this.#options;
    const registration: PushRegistration = {
      token: token.token,
      token_kind: token.kind,
      timestamp: Math.floor(now() / 1_000),
      ...('iosAppId' in token ? { ios_app_id: token.iosAppId } : {}),
      ...('androidAppId' in token ? { android_app_id: token.androidAppId } : {}),
      ...('keys' in token ? { webpush_keys: token.keys } : {}),
    };
    return sealJson(sealing, registration, parsePublicKey(bouncerPublicKey));
  }
}
