import { EventEmitter } from 'node:events';
import { join } from 'node:path';

import { newWebPushSubscription, type WebPushKeys } from '@bellhop/push-crypto/web-push';
import { z } from 'zod';

import { DeviceKind } from './device-kind.ts';
import type { Journal } from './journal.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { keepWhileOffline } from './mailbox.ts';
import { newToken } from './new-token.ts';
import type { AcceptedNotification, Notification } from './notification.ts';

export const Device = z.object({
  token: z.string(),
  kind: DeviceKind,
  /** Bundle id of an iPhone app, package name of an Android app. */
  app_id: z.string(),
  /** Which of Apple's two services the token belongs to; unused for fcm. */
  environment: z.enum(['production', 'sandbox']),
  /** The Firebase project the token belongs to; unused for apns. */
  project_id: z.string(),
  /** The push subscription of a browser; its token is the endpoint. */
  subscription: z
    .object({
      p256dh: z.string(),
      auth: z.string(),
      /** Only the browser knows it. */
      private_key: z.string(),
      /** The public VAPID key that may send to it. */
      application_server_key: z.string(),
    })
    .nullable()
    .default(null),
  online: z.boolean(),
  uninstalled: z
    .object({
      reason: z.enum(['Unregistered', 'ExpiredToken']),
      /** Unix time in milliseconds at which the provider notices. */
      noticed_at: z.number(),
    })
    .nullable(),
});
export type Device = z.infer<typeof Device>;

/** The keys of a browser's subscription, beside its endpoint. */
export const webPushKeysOf = ({ p256dh, auth }: WebPushKeys): WebPushKeys => ({ p256dh, auth });

export const NewDevice = z.strictObject({
  kind: DeviceKind,
  app_id: z
    .string()
    .regex(/^[\w.-]+$/)
    .optional(),
  environment: Device.shape.environment.optional(),
  project_id: z.string().optional(),
  token: z.string().min(1).max(4096).optional(),
  online: z.boolean().optional(),
});
export type NewDevice = z.infer<typeof NewDevice>;

export const Uninstall = z.strictObject({
  reason: z.enum(['Unregistered', 'ExpiredToken']).optional(),
  /**
   * How long the provider still accepts notifications after the removal of the app, in
   * milliseconds.
   */
  noticed_after_ms: z.coerce.number().int().min(0).optional(),
});
export type Uninstall = z.infer<typeof Uninstall>;

interface DeviceState {
  device: Device;
  waiting: AcceptedNotification[];
  received: Notification[];
  seq: number;
}

export interface DevicesOptions {
  now: () => number;
  journal: Journal;
  stateDir: string | undefined;
  defaults: {
    app_id: string;
    project_id: string;
    /** The address of the push service for browsers. */
    push_service: () => string;
    /** The public VAPID key that browsers subscribe with. */
    application_server_key: string;
  };
}

const maxReceived = 1000;

/** The phones with their state and the notifications that each has received. */
export class Devices {
  readonly #states = new Map<string, DeviceState>();
  readonly #arrivals = new EventEmitter<Record<string, [Notification]>>().setMaxListeners(0);
  readonly #options: DevicesOptions;

  constructor(options: DevicesOptions) {
    this.#options = options;
    const path = this.#path();
    const stored = path === undefined ? undefined : readJsonFile(path, z.array(Device));
    for (const device of stored ?? []) this.#addState(device);
  }

  /** Adds a phone, online by default. A known token becomes valid again and keeps its notifications. */
  add(device: NewDevice): Device {
    const { kind, app_id, environment, project_id, token, online } = NewDevice.parse(device);
    const added: Device = {
      token: token ?? newToken[kind](this.#options.defaults.push_service()),
      kind,
      app_id: app_id ?? this.#options.defaults.app_id,
      environment: environment ?? 'production',
      project_id: project_id ?? this.#options.defaults.project_id,
      subscription: kind === 'webpush' ? this.#subscribe(token) : null,
      online: online ?? true,
      uninstalled: null,
    };
    const state = this.#states.get(added.token);
    if (state === undefined) this.#addState(added);
    else state.device = added;
    this.#saveAndReport('add', added.token);
    if (added.online) this.#deliverWaiting(added.token);
    return added;
  }

  /** The keys of a known browser, or new ones. */
  #subscribe(token: string | undefined): Device['subscription'] {
    const known = token === undefined ? null : (this.find(token)?.subscription ?? null);
    const { application_server_key } = this.#options.defaults;
    return known ?? { ...newWebPushSubscription(), application_server_key };
  }

  list(): Device[] {
    return Array.from(this.#states.values(), ({ device }) => device);
  }

  find(token: string): Device | undefined {
    return this.#states.get(token)?.device;
  }

  /**
   * Takes a phone offline or online. Going online, it receives the notifications that the provider
   * stored.
   */
  setOnline(token: string, online: boolean): void {
    const state = this.#state(token);
    if (state.device.online !== online) {
      state.device = { ...state.device, online };
      this.#saveAndReport(online ? 'online' : 'offline', token);
    }
    if (online) this.#deliverWaiting(token);
  }

  /** Removes the app from the phone. The provider notices after `noticed_after_ms` (default: at once). */
  uninstall(token: string, options: Uninstall = {}): void {
    const { reason = 'Unregistered', noticed_after_ms = 0 } = Uninstall.parse(options);
    const state = this.#state(token);
    const noticed_at = this.#options.now() + noticed_after_ms;
    state.device = { ...state.device, online: false, uninstalled: { reason, noticed_at } };
    state.waiting = [];
    this.#saveAndReport('uninstall', token);
  }

  /** Calls back with each notification to this phone from now on. Returns a function that ends it. */
  listen(token: string, onNotification: (notification: Notification) => void): () => void {
    this.#state(token);
    const name = arrivalEvent(token);
    this.#arrivals.on(name, onNotification);
    return () => void this.#arrivals.off(name, onNotification);
  }

  /** The notifications of the phone after a `seq`, the latest 1000 at most. */
  received(token: string, after = 0): Notification[] {
    return this.#state(token).received.filter(({ seq }) => seq > after);
  }

  /** Delivers an accepted notification to the phone, or keeps it until the phone is online. */
  deliver(accepted: AcceptedNotification): 'delivered' | 'stored' | 'dropped' {
    const state = this.#state(accepted.content.token);
    if (state.device.uninstalled !== null) return 'dropped';
    if (state.device.online) {
      this.#receive(state, accepted);
      return 'delivered';
    }
    if (accepted.expires_at <= this.#options.now()) return 'dropped';
    state.waiting = keepWhileOffline(state.waiting, accepted);
    return 'stored';
  }

  #deliverWaiting(token: string): void {
    const state = this.#state(token);
    const waiting = state.waiting.filter(({ expires_at }) => expires_at > this.#options.now());
    state.waiting = [];
    for (const accepted of waiting) this.#receive(state, accepted);
  }

  #receive(state: DeviceState, { content }: AcceptedNotification): void {
    const notification = { ...content, seq: ++state.seq, received_at: this.#options.now() };
    state.received.push(notification);
    if (state.received.length > maxReceived) state.received.shift();
    this.#arrivals.emit(arrivalEvent(notification.token), notification);
    this.#options.journal.report({ type: 'notification', notification });
  }

  #addState(device: Device): void {
    this.#states.set(device.token, { device, waiting: [], received: [], seq: 0 });
  }

  #state(token: string): DeviceState {
    const state = this.#states.get(token);
    if (state === undefined) throw new UnknownDevice();
    return state;
  }

  #saveAndReport(op: 'add' | 'online' | 'offline' | 'uninstall', token: string): void {
    const path = this.#path();
    if (path !== undefined) writeJsonFile(path, this.list());
    this.#options.journal.report({ type: 'device', op, token });
  }

  #path(): string | undefined {
    const { stateDir } = this.#options;
    return stateDir === undefined ? undefined : join(stateDir, 'devices.json');
  }
}

/** The event name of a token. The prefix avoids names with a meaning, such as `error`. */
function arrivalEvent(token: string): string {
  return `arrival at ${token}`;
}

/** There is no phone with this token. */
export class UnknownDevice extends Error {
  override readonly name = 'UnknownDevice';

  constructor() {
    super('There is no device with this token; add it first');
  }
}
