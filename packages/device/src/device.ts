import type { Client } from '@bellhop/client';
import type { PushPayload, PushRegistration, WebPushKeys } from '@bellhop/protocol';
import { parsePublicKey, sealing, sealJson } from '@bellhop/push-crypto/phone';

import { type AccountIdentity, type DeviceIdentity, newIdentity } from './identity.ts';
import { Inbox, type MessagePush } from './inbox.ts';
import { openNotification } from './open-notification.ts';
import { registerDevice } from './register-device.ts';
import { accountRegistration, clientDeviceRegistration } from './registrations.ts';

export * from './identity.ts';
export type { MessagePush } from './inbox.ts';
export * from './notification-refused.ts';
export * from './registration-refused.ts';
export type { Client } from '@bellhop/client';
export type { PushGeneration, PushPayload, WebPushKeys } from '@bellhop/protocol';
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

export interface DeviceOptions<Identity extends DeviceIdentity = AccountIdentity> {
  /** The chat server, logged in as the owner of the phone. */
  readonly client: Client;
  readonly token: DeviceToken;
  /** The bouncer's public key in base64, built into the app. Registrations are sealed for it. */
  readonly bouncerPublicKey: string;
  /**
   * That of an earlier run, or of `addClientDevice` for the generation `device`; by default a new one of
   * the generation `account`.
   */
  readonly identity?: Identity;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
}

/** A simulated phone. Only the phone can read its notifications; only the bouncer learns its token. */
export class Device<Identity extends DeviceIdentity = AccountIdentity> {
  readonly identity: Identity;
  readonly #options: DeviceOptions<Identity>;
  readonly #inbox = new Inbox();

  constructor(options: DeviceOptions<Identity>) {
    this.#options = options;
    // Who gives none has the default of the type parameter.
    this.identity = options.identity ?? (newIdentity() as Identity);
  }

  /**
   * Registers with the chat server and waits until the bouncer accepts. Sends only what the server does not
   * have: nothing if the phone is registered already, a new key or a new token alone for the generation
   * `device`. Throws RegistrationRefused, the server's ApiError, or after `timeoutMs` a TimeoutError.
   */
  async register({ timeoutMs = 60_000 }: { timeoutMs?: number } = {}): Promise<void> {
    const { client, token, bouncerPublicKey, now = Date.now } = this.#options;
    const identity: DeviceIdentity = this.identity;
    const sealRegistration = () => this.#sealedRegistration();
    const phone = { client, token, bouncerPublicKey, sealRegistration, now };
    const registration =
      'device_id' in identity
        ? clientDeviceRegistration(phone, identity)
        : accountRegistration(phone, identity);
    await registerDevice(client, registration, AbortSignal.timeout(timeoutMs));
  }

  /**
   * Decrypts the data that the provider delivers to the app: the body of an APNs notification or
   * the text of a browser's push event (a text keeps the account number exact), or the data of an
   * FCM message. Throws NotificationRefused.
   */
  receive(notification: string | Readonly<Record<string, unknown>>): PushPayload {
    const payload = openNotification(notification, this.identity);
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
