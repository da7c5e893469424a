import { setTimeout } from 'node:timers/promises';

import type { PushGeneration } from '@bellhop/protocol';

import { CannotCheck, Deviation } from '../check.ts';
import { requireSuccess, send, type ProbeResponse } from '../send.ts';
import { type SimulatorAddress, SimulatorControl } from '../simulator-control.ts';

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

/** The limits of public servers are for a minute, or for an hour, which is not waited for. */
const MAX_WAIT_SECONDS = 60;

type EventType = 'push_device' | 'device';
export type PushEvent = Readonly<Record<string, unknown>>;
/** An event queue of the server, and the devices of the user when it was opened. */
export interface Queue {
  readonly queue_id: string;
  last_event_id: number;
  readonly devices: Readonly<Record<string, unknown>>;
}

/** Plays phones of one generation against a chat server. */
export class ServerTarget {
  readonly simulator: SimulatorControl;
  readonly options: ServerOptions;
  readonly timeoutMs: number;
  /** That of its phones. */
  readonly generation: PushGeneration;
  /** The devices that were added, each with its owner. */
  readonly addedDevices: (readonly [id: number, owner: Login])[] = [];
  /** The accounts that were registered. */
  readonly addedAccounts = new Set<bigint>();
  readonly #url: string;

  constructor(url: string, options: ServerOptions, generation: PushGeneration) {
    this.generation = generation;
    this.#url = `${url.replace(/\/$/, '')}/api/v1`;
    this.options = options;
    this.simulator = new SimulatorControl(options.simulator);
    this.timeoutMs = options.timeoutMs ?? 10_000;
  }

  /**
   * Calls the server as the user; `login` null is without a login. Waits where the server wants fewer
   * requests, up to a minute in all.
   */
  async call(
    method: string,
    path: string,
    form: Readonly<Record<string, unknown>> = {},
    login: Login | null = this.options.user,
  ): Promise<ProbeResponse> {
    const { timeoutMs } = this;
    for (let left = MAX_WAIT_SECONDS; ;) {
      const answer = await send(`${this.#url}${path}`, {
        method,
        form,
        timeoutMs,
        ...(login === null ? {} : { login }),
      });
      const seconds = answer.body['retry-after'];
      if (answer.status !== 429 || typeof seconds !== 'number' || left <= 0 || seconds > left)
        return answer;
      // Each wait counts as a second at least: a server that never has enough is given up.
      left -= Math.max(seconds, 1);
      await setTimeout(seconds * 1000);
    }
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

  /** Removes the devices that were added, as far as there are: a user may have only so many. */
  async removeDevices(): Promise<void> {
    for (const [device_id, owner] of this.addedDevices.splice(0))
      await this.call('POST', '/remove_client_device', { device_id }, owner).catch(() => undefined);
  }

  /**
   * Ends the accounts that were registered, where the server can: it would push to phones without the app,
   * and the bouncer doubt the next ones.
   */
  async endAccounts(): Promise<void> {
    for (const push_account_id of this.addedAccounts) {
      const form = { push_account_id };
      const answer = await this.call('POST', '/mobile_push/unregister', form).catch(
        () => undefined,
      );
      // Public servers do not have the operation.
      if (answer === undefined || answer.status === 404) return;
    }
  }

  async userId(login = this.options.user): Promise<number> {
    return Number(requireSuccess(await this.call('GET', '/users/me', {}, login)).body['user_id']);
  }

  /** The user's devices in the initial state: `push_devices` or, of level 468 and later, `devices`. */
  async devices<State>(type: EventType): Promise<Readonly<Record<string, State>>> {
    const { devices, queue_id } = await this.openQueue(type);
    await this.close({ queue_id });
    return devices as Readonly<Record<string, State>>;
  }

  /** Opens an event queue for events of one type. */
  async openQueue(type: EventType): Promise<Queue> {
    const types = [type];
    const { body } = requireSuccess(
      await this.call('POST', '/register', { event_types: types, fetch_event_types: types }),
    );
    const devices = body[`${type}s`];
    if (typeof devices !== 'object' || devices === null)
      throw new Deviation(`POST /register has no ${type}s`);
    return {
      queue_id: String(body['queue_id']),
      last_event_id: Number(body['last_event_id']),
      devices: devices as Queue['devices'],
    };
  }

  async close({ queue_id }: Pick<Queue, 'queue_id'>): Promise<void> {
    await this.call('DELETE', '/events', { queue_id });
  }

  /** The next event that matches; those before it are dropped. Throws `Deviation` if none comes in time. */
  async nextEvent(
    queue: Queue,
    matches: (event: PushEvent) => boolean,
    what: string,
  ): Promise<PushEvent> {
    for (const end = performance.now() + this.timeoutMs; performance.now() < end;) {
      const events = await this.#events(queue).catch(() => {
        throw new Deviation(`no ${what}`);
      });
      for (const event of events) {
        queue.last_event_id = Number(event['id']);
        if (matches(event)) return event;
      }
    }
    throw new Deviation(`no ${what}`);
  }

  /** The events that the server has already, without waiting for one. */
  async eventsNow(queue: Queue): Promise<readonly PushEvent[]> {
    const events = await this.#events(queue, { dont_block: true });
    queue.last_event_id = Number(events.at(-1)?.['id'] ?? queue.last_event_id);
    return events;
  }

  async #events({ queue_id, last_event_id }: Queue, options: object = {}): Promise<PushEvent[]> {
    const answer = await this.call('GET', '/events', { queue_id, last_event_id, ...options });
    return (requireSuccess(answer).body['events'] ?? []) as PushEvent[];
  }
}
