import type { Client } from '@bellhop/client';
import { Device, type DeviceIdentity, newIdentity, RegistrationRefused } from '@bellhop/device';
import {
  ApiError,
  MAX_PHONE_INBOX,
  type PhoneEvent,
  type PushVectors,
  type SandboxArrival,
  type SandboxPhone,
  type TokenKind,
  type UserId,
} from '@bellhop/protocol';
import { cipherId, keyFingerprint } from '@bellhop/push-crypto/cipher-id';
import {
  type AppData,
  appDataOf,
  type Device as DeviceOfProvider,
  type Notification,
} from '@bellhop/push-simulator';

import { arrivalOf } from '../../device/arrival.ts';
import { deviceToken } from '../device-token.ts';

const MAX_HISTORY = 100;
const REGISTRATION_MS = 20_000;

export interface PhoneParts {
  readonly name: string;
  readonly kind: TokenKind;
  readonly user_id: UserId;
  /** The server, logged in as the owner of the phone. */
  readonly client: Client;
  readonly bouncerPublicKey: string;
  /** The state of the phone at its provider. */
  readonly atProvider: (token: string) => DeviceOfProvider | undefined;
  /** Calls back with each notification to a token. Returns how to stop that. */
  readonly listen: (
    token: string,
    onNotification: (notification: Notification) => void,
  ) => () => void;
  readonly onChange: () => void;
}

interface Received {
  readonly arrival: SandboxArrival;
  readonly received: AppData['received'];
  /** The identity at the time of arrival: a phone gets new keys. */
  readonly identity: DeviceIdentity;
}

/**
 * A simulated phone or browser of a person: registers, receives, decrypts, and keeps its history.
 */
export class Phone {
  readonly parts: PhoneParts;
  readonly #history: PhoneEvent[] = [];
  readonly #inbox: Received[] = [];
  #device: Device;
  #token: DeviceOfProvider;
  #stop = () => {};

  constructor(parts: PhoneParts, token: DeviceOfProvider, identity = newIdentity()) {
    this.parts = parts;
    this.#token = token;
    this.#device = this.#use(token, identity);
    this.note('installed', token.token.slice(0, 24));
  }

  get name(): string {
    return this.parts.name;
  }

  get token(): string {
    return this.#token.token;
  }

  get identity(): DeviceIdentity {
    return this.#device.identity;
  }

  get isInstalled(): boolean {
    return this.parts.atProvider(this.token)?.uninstalled === null;
  }

  /** Adds to the history of the phone. */
  note(kind: PhoneEvent['kind'], detail = ''): void {
    this.#history.push({ ms: Date.now(), kind, detail });
    if (this.#history.length > MAX_HISTORY) this.#history.shift();
    this.parts.onChange();
  }

  /** Registers with the chat server; a refusal is in the history and thrown as BAD_REQUEST. */
  async register(): Promise<void> {
    try {
      await this.#device.register({ timeoutMs: REGISTRATION_MS });
    } catch (error) {
      const isRefused = error instanceof RegistrationRefused;
      const why = isRefused ? (error.detail ?? error.code) : (error as Error).message;
      this.note('refused', why);
      throw new ApiError('BAD_REQUEST', { message: `The phone was not registered: ${why}` });
    }
    this.note('registered', `account ${this.identity.push_account_id}`);
  }

  /** Takes a new account number and key pair, and a new token if one is given. */
  async rotate(token: DeviceOfProvider = this.#token): Promise<void> {
    this.#device = this.#use(token, newIdentity());
    this.note('rotated', token === this.#token ? 'new key pair' : 'new key pair and token');
    this.#token = token;
    await this.register();
  }

  show(): SandboxPhone {
    const { name, kind } = this.parts;
    const { push_account_id, key } = this.identity;
    return {
      name,
      token_kind: kind,
      app_id: this.#token.app_id,
      push_account_id,
      key_fingerprint: keyFingerprint(key.push_key),
      is_online: this.parts.atProvider(this.token)?.online ?? false,
      is_installed: this.isInstalled,
      history: this.#history,
      inbox: this.#inbox.map(({ arrival }) => arrival),
    };
  }

  /** Throws NOT_FOUND for a notification that the phone no longer has. */
  vectors(id: string): PushVectors {
    const found = this.#inbox.find(({ arrival }) => arrival.cipher_id === id);
    if (!found) throw new ApiError('NOT_FOUND', { message: `${this.name} has no push ${id}` });
    const { arrival, received, identity } = found;
    const { payload = null, refused } = arrival;
    const name = `${id}, by ${this.parts.kind}`;
    return {
      push_account_id: identity.push_account_id,
      push_public_key: identity.key.push_key,
      secret_key: identity.key.secret_key,
      vectors: [{ name, received, payload, refused: refused?.split(':', 1)[0] ?? null }],
    };
  }

  stop(): void {
    this.#stop();
  }

  #use(token: DeviceOfProvider, identity: DeviceIdentity): Device {
    const { client, bouncerPublicKey, kind, listen } = this.parts;
    this.#stop();
    const device = new Device({
      client,
      bouncerPublicKey,
      token: deviceToken(kind, token),
      identity,
    });
    this.#stop = listen(token.token, (notification) => this.#receive(device, notification));
    return device;
  }

  #receive(device: Device, notification: Notification): void {
    const { received, fields } = appDataOf(notification);
    const encrypted_data =
      typeof fields['encrypted_data'] === 'string' ? fields['encrypted_data'] : '';
    const arrival = {
      ...arrivalOf(this.name, device, notification),
      cipher_id: encrypted_data === '' ? null : cipherId(encrypted_data),
      encrypted_data,
    };
    this.#inbox.push({ arrival, received, identity: device.identity });
    if (this.#inbox.length > MAX_PHONE_INBOX) this.#inbox.shift();
    this.parts.onChange();
  }
}
