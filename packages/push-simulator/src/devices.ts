import { EventEmitter } from 'node:events';
import { join } from 'node:path';

import { z } from 'zod';

import { DeviceKind } from './device-kind.ts';
import type { Journal } from './journal.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { keepWhileOffline } from './mailbox.ts';
import { newToken } from './new-token.ts';
import type { Accepted, Notification } from './notification.ts';

export const Device = z.object({
  token: z.string(),
  kind: DeviceKind,
  /** Bundle id of an iPhone app, package name of an Android app. */
  app_id: z.string(),
  /** Which of Apple's two services the token belongs to; unused for fcm. */
  environment: z.enum(['production', 'sandbox']),
  /** The Firebase project the token belongs to; unused for apns. */
  project_id: z.string(),
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
  /** How long the provider still accepts notifications, which reach nobody. */
  noticed_after_ms: z.coerce.number().int().min(0).optional(),
});
export type Uninstall = z.infer<typeof Uninstall>;

interface Shelf {
  device: Device;
  waiting: Accepted[];
  received: Notification[];
  seq: number;
}

export interface DevicesOptions {
  now: () => number;
  journal: Journal;
  stateDir: string | undefined;
  defaults: { app_id: string; project_id: string };
}

const remembered = 1000;

/** The phones with their state and the notifications that each has received. */
export class Devices {
  readonly #shelves = new Map<string, Shelf>();
  readonly #arrivals = new EventEmitter<Record<string, [Notification]>>().setMaxListeners(0);
  readonly #options: DevicesOptions;

  constructor(options: DevicesOptions) {
    this.#options = options;
    const path = this.#path();
    const kept = path === undefined ? undefined : readJsonFile(path, z.array(Device));
    for (const device of kept ?? []) this.#shelve(device);
  }

  /** Adds a phone, online by default. A known token becomes valid again and keeps its notifications. */
  add(device: NewDevice): Device {
    const { kind, app_id, environment, project_id, token, online } = NewDevice.parse(device);
    const added: Device = {
      token: token ?? newToken[kind](),
      kind,
      app_id: app_id ?? this.#options.defaults.app_id,
      environment: environment ?? 'production',
      project_id: project_id ?? this.#options.defaults.project_id,
      online: online ?? true,
      uninstalled: null,
    };
    const shelf = this.#shelves.get(added.token);
    if (shelf === undefined) this.#shelve(added);
    else shelf.device = added;
    this.#changed('add', added.token);
    if (added.online) this.#handOver(added.token);
    return added;
  }

  list(): Device[] {
    return Array.from(this.#shelves.values(), ({ device }) => device);
  }

  find(token: string): Device | undefined {
    return this.#shelves.get(token)?.device;
  }

  /** Takes a phone offline or online. Online it receives what the provider has kept for it. */
  setOnline(token: string, online: boolean): void {
    const shelf = this.#shelf(token);
    if (shelf.device.online !== online) {
      shelf.device = { ...shelf.device, online };
      this.#changed(online ? 'online' : 'offline', token);
    }
    if (online) this.#handOver(token);
  }

  /** Removes the app from the phone. The provider notices after `noticed_after_ms` (default: at once). */
  uninstall(token: string, options: Uninstall = {}): void {
    const { reason = 'Unregistered', noticed_after_ms = 0 } = Uninstall.parse(options);
    const shelf = this.#shelf(token);
    const noticed_at = this.#options.now() + noticed_after_ms;
    shelf.device = { ...shelf.device, online: false, uninstalled: { reason, noticed_at } };
    shelf.waiting = [];
    this.#changed('uninstall', token);
  }

  /** Calls back with each notification to this phone from now on. Returns a function that ends it. */
  listen(token: string, onNotification: (notification: Notification) => void): () => void {
    this.#shelf(token);
    const name = arrivalAt(token);
    this.#arrivals.on(name, onNotification);
    return () => void this.#arrivals.off(name, onNotification);
  }

  /** The notifications of the phone after a `seq`, the latest 1000 at most. */
  received(token: string, after = 0): Notification[] {
    return this.#shelf(token).received.filter(({ seq }) => seq > after);
  }

  /** Delivers an accepted notification to the phone, or keeps it until the phone is online. */
  deliver(accepted: Accepted): 'delivered' | 'stored' | 'dropped' {
    const shelf = this.#shelf(accepted.content.token);
    if (shelf.device.uninstalled !== null) return 'dropped';
    if (shelf.device.online) {
      this.#receive(shelf, accepted);
      return 'delivered';
    }
    if (accepted.expires_at <= this.#options.now()) return 'dropped';
    shelf.waiting = keepWhileOffline(shelf.waiting, accepted);
    return 'stored';
  }

  #handOver(token: string): void {
    const shelf = this.#shelf(token);
    const waiting = shelf.waiting.filter(({ expires_at }) => expires_at > this.#options.now());
    shelf.waiting = [];
    for (const accepted of waiting) this.#receive(shelf, accepted);
  }

  #receive(shelf: Shelf, { content }: Accepted): void {
    const notification = { ...content, seq: ++shelf.seq, received_at: this.#options.now() };
    shelf.received.push(notification);
    if (shelf.received.length > remembered) shelf.received.shift();
    this.#arrivals.emit(arrivalAt(notification.token), notification);
    this.#options.journal.tell({ type: 'notification', notification });
  }

  #shelve(device: Device): void {
    this.#shelves.set(device.token, { device, waiting: [], received: [], seq: 0 });
  }

  #shelf(token: string): Shelf {
    const shelf = this.#shelves.get(token);
    if (shelf === undefined) throw new UnknownDevice();
    return shelf;
  }

  #changed(op: 'add' | 'online' | 'offline' | 'uninstall', token: string): void {
    const path = this.#path();
    if (path !== undefined) writeJsonFile(path, this.list());
    this.#options.journal.tell({ type: 'device', op, token });
  }

  #path(): string | undefined {
    const { stateDir } = this.#options;
    return stateDir === undefined ? undefined : join(stateDir, 'devices.json');
  }
}

/** The event name of a token. The prefix avoids names with a meaning, such as `error`. */
function arrivalAt(token: string): string {
  return `arrival at ${token}`;
}

/** There is no phone with this token. */
export class UnknownDevice extends Error {
  override readonly name = 'UnknownDevice';

  constructor() {
    super('There is no device with this token; add it first');
  }
}
