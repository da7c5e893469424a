import { type Device, type DeviceIdentity, sharedKeyOf } from '@bellhop/device';
import {
  ApiError,
  MAX_PHONE_INBOX,
  type PhoneEvent,
  type PushVectors,
  type SandboxArrival,
  type SandboxPhone,
} from '@bellhop/protocol';
import { cipherId, keyFingerprint } from '@bellhop/push-crypto/cipher-id';
import { type AppData, appDataOf, type Devices, type Notification } from '@bellhop/push-simulator';

import { arrivalOf } from '../../phones/arrival.ts';
import type { PhoneEntry } from '../../phones/phone-store.ts';
import { deviceOf, identityText, numbersOf } from '../../phones/simulated-phone.ts';

const MAX_HISTORY = 100;

interface Received {
  readonly arrival: SandboxArrival;
  readonly data: AppData;
  /** The identity at the time of arrival: a phone gets new keys. */
  readonly identity: DeviceIdentity;
}

const atProvider = { online: 'online', offline: 'offline', uninstall: 'uninstalled' } as const;

/** What a registered phone or browser receives and goes through while the sandbox runs. */
export class Phone {
  readonly #devices: Devices;
  readonly #onChange: () => void;
  readonly #history: PhoneEvent[] = [];
  readonly #inbox: Received[] = [];
  #remembersMs = Date.now();
  #entry: PhoneEntry;
  #stop: () => void;

  constructor(entry: PhoneEntry, devices: Devices, onChange: () => void) {
    this.#devices = devices;
    this.#onChange = onChange;
    this.#entry = entry;
    this.note('installed', entry.token.slice(0, 24));
    if (this.#isInstalled) this.noteRegistered();
    this.#stop = this.#listen(entry);
  }

  get name(): string {
    return this.#entry.name;
  }

  get entry(): PhoneEntry {
    return this.#entry;
  }

  get #isInstalled(): boolean {
    return this.#devices.find(this.#entry.token)?.uninstalled === null;
  }

  /** Adds to the history of the phone. */
  note(kind: PhoneEvent['kind'], detail = ''): void {
    this.#history.push({ ms: Date.now(), kind, detail });
    if (this.#history.length > MAX_HISTORY) this.#history.shift();
    this.#onChange();
  }

  /** Adds to the history what has happened at the provider. */
  noteAtProvider(op: keyof typeof atProvider): void {
    this.note(atProvider[op], op === 'uninstall' ? 'the server learns of it by the next push' : '');
  }

  /** Goes on with a new key, and a new token if there is one. */
  rotateTo(entry: PhoneEntry): void {
    const key = 'device_id' in entry.identity ? 'new key' : 'new key pair';
    const hasToken = entry.token !== this.#entry.token;
    this.#stop();
    this.#entry = entry;
    this.#stop = this.#listen(entry);
    this.note('rotated', hasToken ? `${key} and token` : key);
  }

  show(): SandboxPhone {
    const { name, kind, app_id, token, identity } = this.#entry;
    return {
      name,
      token_kind: kind,
      app_id,
      ...numbersOf(identity),
      ...('device_id' in identity
        ? { key_fingerprint: null, push_key_id: identity.key.push_key_id }
        : { key_fingerprint: keyFingerprint(identity.key.push_key), push_key_id: null }),
      is_online: this.#devices.find(token)?.online ?? false,
      is_installed: this.#isInstalled,
      history: this.#history,
      inbox: this.#inbox.map(({ arrival }) => arrival),
      remembers_ms: this.#remembersMs,
    };
  }

  /** Throws NOT_FOUND for a notification that the phone no longer has. */
  vectors(id: string): PushVectors {
    const found = this.#inbox.find(({ arrival }) => arrival.cipher_id === id);
    if (!found) throw new ApiError('NOT_FOUND', { message: `${this.name} has no push ${id}` });
    const { arrival, data, identity } = found;
    const { received, fields } = data;
    const { payload = null, refused } = arrival;
    const name = `${id}, by ${this.#entry.kind}`;
    return {
      ...keysFor(identity, fields),
      vectors: [{ name, received, payload, refused: refused?.split(':', 1)[0] ?? null }],
    };
  }

  stop(): void {
    this.#stop();
  }

  /** Adds to the history that the server has the present key and token. */
  noteRegistered(): void {
    this.note('registered', identityText(this.#entry.identity));
  }

  #listen(entry: PhoneEntry): () => void {
    const device = deviceOf(entry);
    return this.#devices.listen(entry.token, (notification) => this.#receive(device, notification));
  }

  #receive(device: Device<DeviceIdentity>, notification: Notification): void {
    const data = appDataOf(notification);
    const { encrypted_data: text } = data.fields;
    const encrypted_data = typeof text === 'string' ? text : '';
    const arrival = {
      ...arrivalOf(this.name, device, notification),
      cipher_id: encrypted_data === '' ? null : cipherId(encrypted_data),
      encrypted_data,
    };
    this.#inbox.push({ arrival, data, identity: device.identity });
    if (this.#inbox.length > MAX_PHONE_INBOX) {
      const forgotten = this.#inbox.shift();
      if (forgotten) this.#remembersMs = Date.parse(forgotten.arrival.received_at);
    }
    this.#onChange();
  }
}

/** The keys that decrypt the data, as a test vector has them. */
function keysFor(identity: DeviceIdentity, fields: AppData['fields']) {
  if (!('device_id' in identity)) {
    const { push_account_id, key } = identity;
    const { push_key: push_public_key, secret_key } = key;
    return { push_account_id, push_public_key, push_key_id: null, secret_key };
  }
  const named = sharedKeyOf(identity, Number(fields['push_key_id'])) ?? identity.key;
  const { push_key_id, push_key: secret_key } = named;
  return { push_account_id: null, push_public_key: null, push_key_id, secret_key };
}
