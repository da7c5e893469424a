import { parseJson } from '@bellhop/protocol';
import { payloadCipher } from '@bellhop/push-crypto';

import { newAccountId, registrationOf, sealed } from '../boxes.ts';
import { CannotCheck, Deviation } from '../check.ts';
import { requireSuccess, send, type ProbeResponse } from '../send.ts';
import {
  type Notification,
  type SimulatorAddress,
  SimulatorControl,
  type TokenKind,
} from '../simulator-control.ts';

export type Login = readonly [email: string, apiKey: string];
export interface ServerOptions {
  /** The owner of the phones. Nothing of theirs is changed but their push devices. */
  readonly user: Login;
  /**
   * A user who may send the tested user direct messages; without one their pushes are not checked.
   */
  readonly sender?: Login;
  /** The public key that phones seal their registrations for. */
  readonly bouncerPublicKey: string;
  /** The simulator that the server's bouncer sends to. */
  readonly simulator: SimulatorAddress;
  /** How long an answer, an event or a notification may take, 10 s by default. */
  readonly timeoutMs?: number;
}

/** The state of a device: in an event or in `push_devices`. */
export interface DeviceState {
  readonly status: unknown;
  readonly error_code: unknown;
}

/** Plays a phone against a chat server. */
export class ServerTarget {
  readonly simulator: SimulatorControl;
  readonly options: ServerOptions;
  readonly timeoutMs: number;
  readonly #url: string;

  constructor(url: string, options: ServerOptions) {
    this.#url = `${url.replace(/\/$/, '')}/api/v1`;
    this.options = options;
    this.simulator = new SimulatorControl(options.simulator);
    this.timeoutMs = options.timeoutMs ?? 10_000;
  }

  /** Calls the server as the user; `login` null is without a login. */
  call(
    method: string,
    path: string,
    form: Readonly<Record<string, unknown>> = {},
    login: Login | null = this.options.user,
  ): Promise<ProbeResponse> {
    const { timeoutMs } = this;
    return send(`${this.#url}${path}`, {
      method,
      form,
      timeoutMs,
      ...(login === null ? {} : { login }),
    });
  }

  /** Calls the server as the sender of messages. Throws `CannotCheck` if there is none. */
  asSender(
    method: string,
    path: string,
    form: Readonly<Record<string, unknown>>,
  ): Promise<ProbeResponse> {
    const { sender } = this.options;
    if (sender) return this.call(method, path, form, sender);
    throw new CannotCheck('needs a second account that sends messages');
  }

  async userId(login = this.options.user): Promise<number> {
    return Number(requireSuccess(await this.call('GET', '/users/me', {}, login)).body['user_id']);
  }

  /** The user's `push_devices` in the initial state. */
  async pushDevices(): Promise<Readonly<Record<string, DeviceState>>> {
    const { devices, queue_id } = await this.openQueue();
    await this.call('DELETE', '/events', { queue_id });
    return devices;
  }

  /** Opens an event queue for `push_device` events. */
  async openQueue() {
    const types = ['push_device'];
    const { body } = requireSuccess(
      await this.call('POST', '/register', { event_types: types, fetch_event_types: types }),
    );
    const devices = body['push_devices'];
    if (typeof devices !== 'object' || devices === null)
      throw new Deviation('POST /register has no push_devices');
    return {
      queue_id: String(body['queue_id']),
      last_event_id: Number(body['last_event_id']),
      devices: devices as Readonly<Record<string, DeviceState>>,
    };
  }

  /** The first `push_device` event of an account. Throws `Deviation` if none comes in time. */
  async event(queue: { queue_id: string; last_event_id: number }, accountId: bigint) {
    const end = performance.now() + this.timeoutMs;
    for (let last = queue.last_event_id; performance.now() < end;) {
      const { body } = requireSuccess(
        await this.call('GET', '/events', { queue_id: queue.queue_id, last_event_id: last }).catch(
          () => {
            throw new Deviation(`no push_device event for ${accountId}`);
          },
        ),
      );
      for (const event of (body['events'] ?? []) as Record<string, unknown>[]) {
        last = Math.max(last, Number(event['id']));
        if (event['type'] === 'push_device' && event['push_account_id'] === String(accountId))
          return event;
      }
    }
    throw new Deviation(`no push_device event for ${accountId}`);
  }

  /** A new phone with keys, not registered yet. */
  async phone(kind: TokenKind): Promise<ServerPhone> {
    const device = await this.simulator.addDevice(kind);
    return new ServerPhone(this, { ...device, token_kind: kind });
  }

  /** A phone that the bouncer has accepted. */
  async activePhone(kind: TokenKind): Promise<ServerPhone> {
    const phone = await this.phone(kind);
    const event = await phone.registered();
    if (event['status'] === 'active') return phone;
    throw new Deviation(`a good registration ended as ${describeState(event)}`);
  }
}

export const describeState = ({ status, error_code }: Record<string, unknown> | DeviceState) =>
  `${String(status)}${error_code == null ? '' : ` ${JSON.stringify(error_code)}`}`;

interface Installed {
  readonly token: string;
  readonly token_kind: TokenKind;
  readonly app_id: string;
  /** The keys of a browser. */
  readonly subscription: { readonly p256dh: string; readonly auth: string } | null;
}

/** The app on a phone: one account with its keys. */
export class ServerPhone {
  readonly installed: Installed;
  readonly accountId = newAccountId();
  readonly key = payloadCipher.createKey();
  readonly #target: ServerTarget;
  #seq = 0;

  constructor(target: ServerTarget, installed: Installed) {
    this.#target = target;
    this.installed = installed;
  }

  /** Sends the registration with the given fields instead of the right ones. */
  register(changes: object = {}): Promise<ProbeResponse> {
    const { bouncerPublicKey } = this.#target.options;
    return this.#target.call('POST', '/mobile_push/register', {
      token_kind: this.installed.token_kind,
      push_account_id: this.accountId,
      push_public_key: this.key.push_key,
      bouncer_public_key: bouncerPublicKey,
      encrypted_push_registration: sealed(registrationOf(this.installed), bouncerPublicKey),
      ...changes,
    });
  }

  /** Registers and waits for the event with the decision of the bouncer. */
  async registered(changes: object = {}): Promise<Record<string, unknown>> {
    const queue = await this.#target.openQueue();
    try {
      requireSuccess(await this.register(changes));
      return await this.#target.event(queue, this.accountId);
    } finally {
      await this.#target.call('DELETE', '/events', { queue_id: queue.queue_id });
    }
  }

  /** Another account on the same phone, with other keys. */
  otherAccount(): ServerPhone {
    return new ServerPhone(this.#target, this.installed);
  }

  async state(): Promise<DeviceState | undefined> {
    return (await this.#target.pushDevices())[String(this.accountId)];
  }

  /** Asks for a test notification on this phone. */
  test(): Promise<ProbeResponse> {
    const path = '/mobile_push/e2ee/test_notification';
    return this.#target.call('POST', path, { push_account_id: this.accountId });
  }

  /** The next notification. Throws `Deviation` if none arrives in time. */
  async next(): Promise<Notification> {
    const { simulator, timeoutMs } = this.#target;
    const [next] = await simulator.received(this.installed.token, this.#seq, timeoutMs);
    if (!next) throw new Deviation(`nothing arrived on the ${this.installed.token_kind} phone`);
    this.#seq = next.seq;
    return next;
  }

  /** The notifications that arrive within a moment. */
  async moreWithin(ms: number): Promise<readonly Notification[]> {
    return this.#target.simulator.received(this.installed.token, this.#seq, ms);
  }

  /** The plaintext of a notification. Throws `Deviation` if it cannot be decrypted. */
  decrypt(notification: Notification): Record<string, unknown> {
    const { encrypted_data: data } = fieldsOf(notification);
    if (typeof data !== 'string') throw new Deviation('encrypted_data is no text');
    try {
      return payloadCipher.decrypt(data, this.key) as Record<string, unknown>;
    } catch (error) {
      throw new Deviation(`encrypted_data: ${(error as Error).message}`, { cause: error });
    }
  }
}

/**
 * The fields that the provider delivers to the app: the JSON body of APNs or a push event, the data
 * of FCM.
 */
export function fieldsOf({ body, data }: Notification): Readonly<Record<string, unknown>> {
  return body === undefined ? (data ?? {}) : (parseJson(body) as Record<string, unknown>);
}
