import { randomBytes, randomInt, randomUUID } from 'node:crypto';

import type { PushGeneration } from '@bellhop/protocol';
import { tokenId } from '@bellhop/push-crypto';

import { newAccountId, registrationOf, sealed } from '../boxes.ts';
import { CannotCheck, Deviation } from '../check.ts';
import { requireSuccess, send, type ProbeResponse } from '../send.ts';
import {
  type Notification,
  type SimulatorAddress,
  SimulatorControl,
  type TokenKind,
} from '../simulator-control.ts';

export interface BouncerOptions {
  /** The public key that phones seal their registrations for. */
  readonly bouncerPublicKey: string;
  /** The simulator that the bouncer sends to. */
  readonly simulator: SimulatorAddress;
  /** ID and key of a chat server that the bouncer lets register; new ones by default. */
  readonly org?: readonly [id: string, key: string];
  /** The token with which new servers register, if the bouncer requires one. */
  readonly registrationToken?: string;
  /** How long an answer or a notification may take, 10 s by default. */
  readonly timeoutMs?: number;
}

/** An app on a simulated phone. */
export interface NewPhone {
  readonly token: string;
  readonly token_kind: TokenKind;
  readonly app_id: string;
  /** The keys of a browser. */
  readonly subscription: { readonly p256dh: string; readonly auth: string } | null;
  readonly accountId: bigint;
  readonly keyId: number;
}
/** An app that is registered with the bouncer. */
export interface BouncerPhone extends NewPhone {
  /** What names it in `push_requests`: its `device_id` or, of level 468 and later, its `token_id`. */
  readonly id: number | string;
}

const newKey = () => randomBytes(32).toString('hex');

/** A chat server that the bouncer need not know. */
export const newOrg = (): readonly [id: string, key: string] => [randomUUID(), newKey()];

/** Plays a chat server, whose phones are of one generation, against a bouncer. */
export class BouncerTarget {
  readonly simulator: SimulatorControl;
  readonly generation: PushGeneration;
  readonly realm: string;
  readonly org: readonly [id: string, key: string];
  readonly bouncerPublicKey: string;
  readonly timeoutMs: number;
  readonly #url: string;
  readonly #options: BouncerOptions;

  constructor(
    url: string,
    options: BouncerOptions & { readonly realm: string; readonly org: readonly [string, string] },
    generation: PushGeneration,
  ) {
    this.generation = generation;
    this.realm = options.realm;
    this.#url = `${url.replace(/\/$/, '')}/api/v1/remotes`;
    this.#options = options;
    this.simulator = new SimulatorControl(options.simulator);
    this.org = options.org;
    this.bouncerPublicKey = options.bouncerPublicKey;
    this.timeoutMs = options.timeoutMs ?? 10_000;
  }

  /** Posts a form as the chat server; `login` null is without a login. */
  post(
    path: string,
    form: Readonly<Record<string, unknown>>,
    login: readonly [string, string] | null = this.org,
  ): Promise<ProbeResponse> {
    const timeoutMs = this.timeoutMs;
    return send(`${this.#url}${path}`, { form, timeoutMs, ...(login ? { login } : {}) });
  }

  /** Registers a chat server. */
  registerServer(org = this.org, changes: object = {}): Promise<ProbeResponse> {
    const { registrationToken: registration_token } = this.#options;
    const fields = {
      zulip_org_id: org[0],
      zulip_org_key: org[1],
      hostname: `${org[0]}.example.com`,
      contact_email: 'admin@example.com',
      ...(registration_token === undefined ? {} : { registration_token }),
    };
    return this.post('/server/register', { ...fields, ...changes }, null);
  }

  /** Registers another chat server. Throws `CannotCheck` if the bouncer takes no further ones. */
  async newServer(): Promise<readonly [id: string, key: string]> {
    const org = newOrg();
    const answer = await this.registerServer(org);
    if (answer.status === 200) return org;
    throw new CannotCheck('the bouncer lets no second chat server register');
  }

  /** Announces a realm. */
  announce(realm = this.realm, org = this.org): Promise<ProbeResponse> {
    const announced = {
      id: 1,
      uuid: realm,
      uuid_owner_secret: `secret-${realm}`,
      host: `${org[0]}.example.com`,
      url: `https://${org[0]}.example.com`,
      name: 'Conformance',
      org_type: 0,
      date_created: Math.floor(Date.now() / 1000),
      deactivated: false,
      is_system_bot_realm: false,
      authentication_methods: { Email: true },
    };
    const fields = { realm_counts: [], installation_counts: [], realms: [announced] };
    return this.post('/server/analytics', { ...fields, api_feature_level: 420 }, org);
  }

  /** A phone of the simulator that is not registered yet. */
  async newPhone(token_kind: TokenKind): Promise<NewPhone> {
    const installed = await this.simulator.addDevice(token_kind);
    return {
      ...installed,
      token_kind,
      accountId: newAccountId(),
      keyId: randomInt(2 ** 31, 2 ** 32),
    };
  }

  /** Registers a phone with the given fields instead of the right ones. */
  registerPhone(phone: NewPhone, changes: object = {}): Promise<ProbeResponse> {
    return this.post('/push/e2ee/register', {
      realm_uuid: this.realm,
      ...(this.generation === 'account'
        ? { push_account_id: phone.accountId }
        : { token_id: tokenId(phone.token) }),
      encrypted_push_registration: sealed(registrationOf(phone), this.bouncerPublicKey),
      bouncer_public_key: this.bouncerPublicKey,
      ...changes,
    });
  }

  /** A registered phone. */
  async phone(token_kind: TokenKind): Promise<BouncerPhone> {
    const phone = await this.newPhone(token_kind);
    return { ...phone, id: this.idIn(await this.registerPhone(phone), phone) };
  }

  /** What names a registered phone from now on. Throws `Deviation` unless it was registered. */
  idIn(answer: ProbeResponse, phone: NewPhone): number | string {
    const { device_id } = requireSuccess(answer).body;
    if (this.generation === 'device') return tokenId(phone.token);
    if (typeof device_id === 'number' && Number.isSafeInteger(device_id)) return device_id;
    throw new Deviation(`device_id is ${JSON.stringify(device_id)} instead of an integer`);
  }

  /** A name that no phone has. */
  unknownId(): number | string {
    return this.generation === 'account' ? 2_000_000_000 : randomBytes(8).toString('base64');
  }

  /** An item of `push_requests` for a phone; `data` stands for the encrypted content. */
  itemFor(phone: BouncerPhone, data = 'Y29uZm9ybWFuY2U='): Record<string, unknown> {
    const isAccount = this.generation === 'account';
    const name = isAccount ? { device_id: phone.id } : { token_id: phone.id };
    const key = isAccount ? { push_account_id: phone.accountId } : { push_key_id: phone.keyId };
    const payload = { ...key, encrypted_data: data };
    if (phone.token_kind === 'fcm') return { ...name, fcm_priority: 'high', payload };
    if (phone.token_kind === 'webpush')
      return { ...name, webpush_headers: { ttl: 3_600, urgency: 'high' }, payload };
    const aps = { 'mutable-content': 1, alert: { title: 'New notification' } };
    return {
      ...name,
      http_headers: { apns_priority: 10, apns_push_type: 'alert' },
      payload: { ...payload, aps },
    };
  }

  /** Sends items; `body` replaces the whole request. */
  notify(
    push_requests: readonly unknown[],
    { body, headers, org = this.org }: NotifyOptions = {},
  ): Promise<ProbeResponse> {
    return send(`${this.#url}/push/e2ee/notify`, {
      json: body ?? { realm_uuid: this.realm, push_requests },
      login: org,
      timeoutMs: this.timeoutMs,
      ...(headers === undefined ? {} : { headers }),
    });
  }

  /** The first notification of a phone. Throws `Deviation` if none arrives in time. */
  async arrival(phone: BouncerPhone): Promise<Notification> {
    const [first] = await this.simulator.received(phone.token, 0, this.timeoutMs);
    if (first) return first;
    throw new Deviation(`nothing arrived on the ${phone.token_kind} phone`);
  }

  /** The number of notifications of a phone. */
  async countOf(phone: BouncerPhone): Promise<number> {
    return (await this.simulator.received(phone.token, 0, 0)).length;
  }
}

interface NotifyOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly org?: readonly [string, string];
}
