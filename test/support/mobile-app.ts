import { createHash, randomBytes, randomInt } from 'node:crypto';

import { parseJson } from '@bellhop/protocol';
import { sealing, sealJson } from '@bellhop/push-crypto';
import type { Person, TestChat } from '@bellhop/server/testing';
import nacl from 'tweetnacl';

const DAY = 86_400;
/** Seconds after which the app makes a new key, and sends its token again. */
const MAX_AGE = 30 * DAY;
/** The level from which on the app encrypts, and from which on it removes its device when it logs out. */
const ENCRYPTED_SINCE = 468;
const REMOVES_SINCE = 470;

interface Key {
  readonly id: number;
  /** 0x31 and 32 random bytes. */
  readonly bytes: Buffer;
  readonly made_at: number;
}
type State = Readonly<Record<string, unknown>>;

export interface MobileAppOptions {
  /** UNIX seconds. */
  readonly now: () => number;
  /** The simulated phone. */
  readonly kind: 'apns' | 'fcm';
  readonly token: string;
  readonly app_id: string;
  readonly bouncerPublicKey: string;
}

/**
 * The public mobile app with one account, as its source describes what it does: raw requests and its own
 * cryptography, nothing of our client. What it keeps on the phone outlives `start`.
 */
export class MobileApp {
  token: string;
  readonly #person: Person;
  readonly #options: MobileAppOptions;
  /** What is stored on the phone. */
  #keys: Key[] = [];
  #deviceId: number | undefined;
  #level = 0;
  /** The last registrations of a session. */
  readonly registrations: Record<string, string>[] = [];
  readonly legacyCalls: { readonly route: string; readonly status: number }[] = [];

  constructor(person: Person, options: MobileAppOptions) {
    this.#person = person;
    this.#options = options;
    this.token = options.token;
  }

  get deviceId(): number | undefined {
    return this.#deviceId;
  }
  get keyIds(): readonly number[] {
    return this.#keys.map(({ id }) => id);
  }

  /** What the app does when it is opened, or when its token changes. */
  async start({ ask }: Pick<TestChat, 'ask'>): Promise<void> {
    const { status, body: state } = await ask(this.#person, 'POST /register', {
      client_capabilities: JSON.stringify({
        notification_settings_null: true,
        bulk_message_deletion: true,
        user_avatar_url_field_optional: true,
        stream_typing_notifications: true,
        user_settings_object: true,
        include_deactivated_groups: true,
        empty_topic_name: true,
        individual_emoji_changes: true,
      }),
      idle_queue_timeout: 'mobile',
    });
    if (status !== 200) throw new Error(`The app cannot register: ${JSON.stringify(state)}`);
    this.#level = Number(state['zulip_feature_level']);
    if (this.#level < ENCRYPTED_SINCE) {
      // A server that cannot encrypt any more: the keys are of no use, the device_id stays.
      this.#keys = [];
      await this.#callLegacy('POST', { ask });
      return;
    }
    const now = this.#options.now();
    if ((this.#keys.at(-1)?.made_at ?? 0) < now - MAX_AGE) this.makeKey();
    if (this.#deviceId === undefined) {
      const { body } = await ask(this.#person, 'POST /register_client_device');
      this.#deviceId = body['device_id'] as number;
    }
    const devices = (state['devices'] ?? {}) as Readonly<Record<string, State>>;
    const halves = this.#halvesFor(devices[String(this.#deviceId)]);
    if (Object.keys(halves).length === 0) return;
    const params = { device_id: String(this.#deviceId), ...halves };
    this.registrations.push(params);
    // Any error is swallowed: the app tries again when it is opened the next time.
    await ask(this.#person, 'POST /mobile_push/register', params);
  }

  /** What the server has to be told, compared with what it knows of the device. */
  #halvesFor(known: State | undefined): Record<string, string> {
    const key = this.#keys.at(-1);
    if (!key) throw new Error('The app has no key');
    const { now, kind, app_id, bouncerPublicKey } = this.#options;
    const token_id = createHash('sha256')
      .update(this.token)
      .digest()
      .subarray(0, 8)
      .toString('base64');
    const sentAt = known?.['push_token_last_updated_timestamp'];
    const isTokenKnown =
      known !== undefined &&
      known['push_registration_error_code'] === null &&
      (known['pending_push_token_id'] ?? known['push_token_id']) === token_id &&
      typeof sentAt === 'number' &&
      sentAt > now() - MAX_AGE;
    const registration = {
      token: this.token,
      token_kind: kind,
      timestamp: now(),
      ...(kind === 'apns' ? { ios_app_id: app_id } : {}),
    };
    return {
      ...(known?.['push_key_id'] === key.id
        ? {}
        : { push_key_id: String(key.id), push_key: key.bytes.toString('base64') }),
      ...(isTokenKnown
        ? {}
        : {
            token_kind: kind,
            token_id,
            bouncer_public_key: bouncerPublicKey,
            encrypted_push_registration: sealJson(
              sealing,
              registration,
              bouncerPublicKey as Parameters<typeof sealJson>[2],
            ),
          }),
    };
  }

  /** Makes a new key, which the next start sends. Those before stay for what is in flight. */
  makeKey(): void {
    this.#keys.push({
      id: randomInt(2 ** 32),
      bytes: Buffer.from([0x31, ...randomBytes(32)]),
      made_at: this.#options.now(),
    });
  }

  /** The calls of the app without encryption; what they answer is only noted. */
  async #callLegacy(method: 'POST' | 'DELETE', { ask }: Pick<TestChat, 'ask'>): Promise<void> {
    const { kind, app_id } = this.#options;
    const route = kind === 'fcm' ? 'users/me/android_gcm_reg_id' : 'users/me/apns_device_token';
    const { status } = await ask(this.#person, `${method} /${route}`, {
      token: this.token,
      ...(kind === 'apns' && method === 'POST' ? { appid: app_id } : {}),
    });
    this.legacyCalls.push({ route: `${method} /${route}`, status });
  }

  /** Without waiting for an answer or trying again. */
  async logOut({ ask }: Pick<TestChat, 'ask'>): Promise<void> {
    if (this.#level >= REMOVES_SINCE)
      await ask(this.#person, 'POST /remove_client_device', { device_id: String(this.#deviceId) });
    this.#keys = [];
    this.#deviceId = undefined;
  }

  /**
   * What the app shows of a notification: the text, or undefined if it drops it. Throws where the app
   * would: for a notification of its key that it cannot read.
   */
  read(fields: Readonly<Record<string, unknown>>): State | undefined {
    const { kind } = this.#options;
    const id = fields['push_key_id'];
    // Text on Android, a number on an iPhone; anything else is taken for one without encryption.
    if (typeof id !== (kind === 'fcm' ? 'string' : 'number')) return undefined;
    const key = this.#keys.find((one) => one.id === Number(id));
    if (!key) return undefined;
    const box = Buffer.from(String(fields['encrypted_data']), 'base64');
    const opened = nacl.secretbox.open(
      box.subarray(24),
      box.subarray(0, 24),
      key.bytes.subarray(1),
    );
    if (!opened) throw new Error('The app cannot decrypt a notification of its key');
    const payload = parseJson(Buffer.from(opened).toString()) as State;
    if (payload['type'] === 'message') requireReadable(payload);
    return payload;
  }
}

/** Throws where the app would. */
function requireReadable(payload: State): void {
  for (const name of ['user_id', 'sender_id', 'message_id', 'time'])
    if (typeof payload[name] !== 'number') throw new Error(`${name} is no number`);
  for (const name of ['realm_url', 'content', 'sender_full_name', 'sender_avatar_url'])
    if (typeof payload[name] !== 'string') throw new Error(`${name} is no text`);
  void new URL(String(payload['sender_avatar_url']));
  const isDirect = payload['channel_id'] === undefined;
  if (isDirect && !Array.isArray(payload['recipient_user_ids']))
    throw new Error('recipient_user_ids is missing');
  if (!isDirect && typeof payload['topic'] !== 'string') throw new Error('topic is missing');
}
