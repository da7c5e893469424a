import { randomInt } from 'node:crypto';

import { secretboxCipher, tokenId } from '@bellhop/push-crypto';

import { registrationOf, sealed } from '../boxes.ts';
import { Deviation } from '../check.ts';
import { requireSuccess, type ProbeResponse } from '../send.ts';
import type { TokenKind } from '../simulator-control.ts';
import { AppOnPhone, type Installed, TEST_PATH } from './app-on-phone.ts';
import type { Login, PushEvent, Queue, ServerTarget } from './server-target.ts';

/** A device as the initial state has it. Nothing is known of what a server under test sends. */
export type DeviceState = Readonly<Record<string, unknown>>;

/** The fields of a device that has registered nothing. */
export const EMPTY_DEVICE = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

/** A key that phone and server share. Its ID does not fit 32 bits with a sign. */
export const newSharedKey = () => ({
  push_key_id: randomInt(2 ** 31, 2 ** 32),
  push_key: secretboxCipher.createKey().push_key,
});

/** A phone of level 468 or later: a device of the server, its key and its token. */
export class DevicePhone extends AppOnPhone {
  readonly generation = 'device';
  readonly deviceId: number;
  key = newSharedKey();

  constructor(target: ServerTarget, installed: Installed, deviceId: number) {
    super(target, installed);
    this.deviceId = deviceId;
  }

  get keyName() {
    return ['push_key_id', this.key.push_key_id] as const;
  }

  get tokenId(): string {
    return tokenId(this.installed.token);
  }

  /** This device with another token and the same key: its app was installed on another phone. */
  async withNewToken(): Promise<DevicePhone> {
    const { token_kind } = this.installed;
    const installed = await this.target.simulator.addDevice(token_kind);
    const phone = new DevicePhone(this.target, { ...installed, token_kind }, this.deviceId);
    phone.key = this.key;
    return phone;
  }

  /** The token with a new box. */
  tokenHalf() {
    const { bouncerPublicKey } = this.target.options;
    return {
      token_kind: this.installed.token_kind,
      token_id: this.tokenId,
      bouncer_public_key: bouncerPublicKey,
      encrypted_push_registration: sealed(registrationOf(this.installed), bouncerPublicKey),
    };
  }

  /** Sends these fields; key and token, with `changes`, if none are given. */
  send(fields: object): Promise<ProbeResponse> {
    return this.target.call('POST', '/mobile_push/register', {
      device_id: this.deviceId,
      ...fields,
    });
  }

  /** Sends key and token with the given fields instead of the right ones. */
  register(changes: object = {}): Promise<ProbeResponse> {
    return this.send({ ...this.key, ...this.tokenHalf(), ...changes });
  }

  /** Registers and waits for the event with the decision of the bouncer. */
  async registered(changes: object = {}): Promise<PushEvent> {
    const queue = await this.target.openQueue('device');
    try {
      requireSuccess(await this.register(changes));
      return await this.decision(() => this.update(queue));
    } finally {
      await this.target.close(queue);
    }
  }

  /** The first event with the decision of the bouncer. */
  async decision(next: () => Promise<PushEvent>): Promise<PushEvent> {
    for (;;) {
      const event = await next();
      const { push_token_id: token, push_registration_error_code: code } = event;
      if (typeof token === 'string' || typeof code === 'string') return event;
    }
  }

  update(queue: Queue): Promise<PushEvent> {
    return this.target.nextEvent(
      queue,
      ({ type, op, device_id }) =>
        type === 'device' && op === 'update' && device_id === this.deviceId,
      `device event with op "update" for the device ${this.deviceId}`,
    );
  }

  /**
   * Gives `run` the events of this device, one after the other. Throws `Deviation` unless all of them
   * lead from the state before to the state after.
   */
  async watched<Result>(run: (next: () => Promise<PushEvent>) => Promise<Result>): Promise<Result> {
    const queue = await this.target.openQueue('device');
    try {
      let known = queue.devices[String(this.deviceId)] as DeviceState;
      const apply = (event: PushEvent) => {
        const changes = Object.entries(event).filter(([name]) => name in EMPTY_DEVICE);
        known = { ...known, ...Object.fromEntries(changes) };
      };
      const result = await run(async () => {
        const event = await this.update(queue);
        apply(event);
        return event;
      });
      for (let left = 2; ; left--) {
        for (const event of await this.target.eventsNow(queue))
          if (event['device_id'] === this.deviceId) apply(event);
        const state = await this.state();
        const wrong = Object.keys(EMPTY_DEVICE).find((name) => state?.[name] !== known[name]);
        if (wrong === undefined) return result;
        // The server may have changed the device meanwhile.
        if (left > 0) continue;
        throw new Deviation(
          `after the events ${wrong} is ${JSON.stringify(known[wrong])}, in devices ${JSON.stringify(state?.[wrong])}`,
        );
      }
    } finally {
      await this.target.close(queue);
    }
  }

  async state(): Promise<DeviceState | undefined> {
    return (await this.target.devices<DeviceState>('device'))[String(this.deviceId)];
  }

  async standing() {
    const state = await this.state();
    return {
      isActive: typeof state?.['push_token_id'] === 'string',
      words: state ? `push_token_id ${JSON.stringify(state['push_token_id'])}` : 'not in devices',
    };
  }

  test(): Promise<ProbeResponse> {
    return this.target.call('POST', TEST_PATH, { device_id: this.deviceId });
  }

  remove(): Promise<ProbeResponse> {
    return this.target.call('POST', '/remove_client_device', { device_id: this.deviceId });
  }

  protected open(data: string): unknown {
    const { push_key } = this.key;
    return secretboxCipher.decrypt(data, { push_key, secret_key: push_key });
  }
}

/** Adds a device at the server; returns its ID. */
export async function addDevice(target: ServerTarget, login?: Login): Promise<number> {
  const answer = await target.call('POST', '/register_client_device', {}, login);
  const { device_id } = requireSuccess(answer).body;
  if (typeof device_id !== 'number' || !Number.isSafeInteger(device_id))
    throw new Deviation(`device_id is ${JSON.stringify(device_id)} instead of an integer`);
  target.addedDevices.push([device_id, login ?? target.options.user]);
  return device_id;
}

/** A new phone with a key, and a device that has registered nothing. */
export async function newDevice(target: ServerTarget, kind: TokenKind): Promise<DevicePhone> {
  const installed = await target.simulator.addDevice(kind);
  return new DevicePhone(target, { ...installed, token_kind: kind }, await addDevice(target));
}

/** A phone that the bouncer has accepted. */
export async function activeDevice(target: ServerTarget, kind: TokenKind): Promise<DevicePhone> {
  const phone = await newDevice(target, kind);
  const { push_registration_error_code: code } = await phone.registered();
  if (typeof code !== 'string') return phone;
  throw new Deviation(`a good registration ended as ${JSON.stringify(code)}`);
}
