import { secretbox, secretboxCipher, secretboxPayloads, tokenId } from '@bellhop/push-crypto';

export type Json = Record<string, unknown>;
export type TokenKind = 'apns' | 'fcm' | 'webpush';
/** What a box has. */
export interface Opened {
  readonly token: string;
  readonly kind: TokenKind;
  readonly app: string;
}
/** A phone that gets pushes, of any level. */
export interface Recipient extends Opened {
  readonly id: string;
  readonly keyName: 'push_account_id' | 'push_key_id';
  readonly keyNumber: bigint | number;
  readonly encrypt: (payload: object) => string;
  /** The provider calls the token dead. Returns whether the phone gets no more pushes. */
  readonly forget: () => boolean;
}
export class Refusal extends Error {
  readonly status: number;
  readonly body: Json;
  constructor(status: number, code: string, extra: Json = {}) {
    super(code);
    this.status = status;
    this.body = { result: 'error', msg: code, code, ...extra };
  }
}
export const bad = () => new Refusal(400, 'BAD_REQUEST');

/** The faults of a chat server in memory that concern phones of level 468 and later. */
export type DeviceFault =
  | 'announces level 420'
  | 'one device for all'
  | 'emits no added device'
  | 'leaves null out of devices'
  | 'takes any push_key_id'
  | 'takes push keys of any length'
  | 'takes any first byte of a push_key'
  | 'takes URL-safe keys'
  | 'takes URL-safe token IDs'
  | 'takes token IDs of any length'
  | 'takes half a key'
  | 'takes half a token'
  | 'takes a first key alone'
  | 'takes a first token alone'
  | 'registers devices of nobody'
  | 'registers devices of others'
  | 'emits no pending token'
  | 'leaves null out of events'
  | 'milliseconds'
  | 'clears a refused token'
  | 'takes the token_id of another token'
  | 'takes no new key for a refused token'
  | 'takes a second token'
  | 'ends tokens that are sent twice'
  | 'push_key_id as text in APNs'
  | 'alert in removals'
  | 'one nonce for all'
  | 'no recipient_user_ids'
  | 'no sound'
  | 'keeps the old key'
  | 'stores refused keys'
  | 'drops the old token at once'
  | 'pushes to old tokens'
  | 'no event for a dead token'
  | 'keeps removed devices'
  | 'emits no removed device'
  | 'removes devices of nobody'
  | 'removes devices of others'
  | 'removes twice';
/** Faults that concern phones of all levels. */
export type CommonFault =
  | 'needs no login'
  | 'takes any token_kind'
  | 'stays pending'
  | 'forgets the state'
  | 'wrong error_code'
  | 'keeps failed registrations'
  | 'ends repeated registrations'
  | 'tests unknown accounts'
  | 'URL-safe ciphertext'
  | 'text in FCM data'
  | 'low priority'
  | 'no mutable-content'
  | 'no alert'
  | 'encrypts for another key'
  | 'relative avatar'
  | 'never cuts'
  | 'cuts characters'
  | 'never removes'
  | 'removes loudly'
  | 'removes nothing by name'
  | 'keeps dead devices'
  | 'stops at a refused push';

interface Token extends Opened {
  readonly id: string;
}
interface Device {
  readonly id: number;
  readonly owner: string;
  key?: { readonly id: number; readonly secret: string };
  formerKey?: Device['key'];
  token: Token | undefined;
  formerToken?: Token | undefined;
  pending: string | undefined;
  /** The token was sent again while it was pending. */
  isSentTwice?: boolean;
  error: string | null;
  time: number | null;
  isRemoved?: boolean;
}
const oneNonce = secretboxPayloads({
  ...secretbox,
  randomBytes: (length) => new Uint8Array(length),
});
/** How long the bouncer thinks about a token, in milliseconds. */
const DECISION_MS = 30;

interface Parts {
  readonly has: (fault: DeviceFault | CommonFault) => boolean;
  readonly emit: (event: Json) => void;
  /** What the box has, or the code of its refusal. */
  readonly open: (bouncerKey: string, box: string) => Opened | string;
}

/** The devices of level 468 and later of a chat server in memory, with the given faults. */
export function faultyDevices({ has, emit, open }: Parts) {
  const devices = new Map<number, Device>();
  const strangersKey = secretboxCipher.createKey().push_key;

  const stateOf = (device: Device): Json => {
    const state = {
      push_key_id: device.key?.id ?? null,
      push_token_id: device.token?.id ?? null,
      pending_push_token_id: device.pending ?? null,
      push_token_last_updated_timestamp: device.time,
      push_registration_error_code: device.error,
    };
    return has('leaves null out of devices') ? withoutNull(state) : state;
  };
  const update = ({ id }: Device, changes: Json) =>
    emit({
      type: 'device',
      op: 'update',
      device_id: id,
      ...(has('leaves null out of events') ? withoutNull(changes) : changes),
    });

  function add(owner: string): Json {
    if (has('one device for all') && devices.size > 0) return { device_id: 1 };
    const id = devices.size + 1;
    devices.set(id, { id, owner, token: undefined, pending: undefined, error: null, time: null });
    if (!has('emits no added device')) emit({ type: 'device', op: 'add', device_id: id });
    return { device_id: id };
  }

  function remove(owner: string, id: number): Json {
    const device = devices.get(id);
    if (!device && has('removes devices of nobody')) return {};
    if (!device || (device.isRemoved && !has('removes twice'))) throw bad();
    if (device.owner !== owner && !has('removes devices of others')) throw bad();
    device.isRemoved = true;
    if (!has('emits no removed device')) emit({ type: 'device', op: 'remove', device_id: id });
    return {};
  }

  function keyIn(form: URLSearchParams): Device['key'] {
    const [id, secret] = [form.get('push_key_id'), form.get('push_key')];
    if (id === null || secret === null) return undefined;
    const isId = /^\d+$/.test(id) && Number(id) < 2 ** 32;
    if (!isId && !has('takes any push_key_id')) throw bad();
    const bytes = Buffer.from(secret, 'base64');
    if (/[-_]/.test(secret) && !has('takes URL-safe keys')) throw bad();
    if (bytes.length !== 33 && !has('takes push keys of any length')) throw bad();
    if (bytes[0] !== 0x31 && !has('takes any first byte of a push_key')) throw bad();
    return { id: Number(id), secret };
  }

  function tokenIn(form: URLSearchParams) {
    const names = ['token_kind', 'token_id', 'bouncer_public_key', 'encrypted_push_registration'];
    const [kind, id, bouncerKey, box] = names.map((name) => form.get(name) ?? undefined);
    if (kind === undefined || id === undefined) return undefined;
    if (bouncerKey === undefined || box === undefined) return undefined;
    if (!['apns', 'fcm', 'webpush'].includes(kind) && !has('takes any token_kind')) throw bad();
    if (/[-_]/.test(id) && !has('takes URL-safe token IDs')) throw bad();
    const { length } = Buffer.from(id, 'base64');
    if (length !== 8 && !has('takes token IDs of any length')) throw bad();
    return { kind, id, bouncerKey, box };
  }

  function register(owner: string, form: URLSearchParams): Json {
    const device = devices.get(Number(form.get('device_id')));
    if (!device && has('registers devices of nobody')) return {};
    if (!device || device.isRemoved) throw bad();
    if (device.owner !== owner && !has('registers devices of others')) throw bad();
    let key: Device['key'];
    try {
      key = keyIn(form);
    } catch (error) {
      const { key: known } = device;
      if (known && has('stores refused keys')) device.key = { ...known, secret: strangersKey };
      throw error;
    }
    const token = tokenIn(form);
    const isHalfKey = form.has('push_key_id') && has('takes half a key');
    const isHalfToken = form.has('token_id') && has('takes half a token');
    if (!key && !token && !isHalfKey && !isHalfToken) throw bad();
    if (!device.key && key && !token && !has('takes a first key alone')) throw bad();
    if (!device.key && !key && token && !has('takes a first token alone')) throw bad();
    if (token && device.pending !== undefined && device.error === null)
      if (device.pending !== token.id && !has('takes a second token')) throw bad();
    if (key && !token && device.error !== null && has('takes no new key for a refused token'))
      throw bad();
    const isNewKey = key !== undefined && key.id !== device.key?.id;
    if (key) {
      device.formerKey = device.key;
      device.key = key;
    }
    const keyChange = isNewKey ? { push_key_id: key?.id } : {};
    if (token) return registerToken(device, token, keyChange);
    if (isNewKey) update(device, keyChange);
    return {};
  }

  function registerToken(
    device: Device,
    token: NonNullable<ReturnType<typeof tokenIn>>,
    keyChange: Json,
  ): Json {
    if (device.token?.id === token.id && device.error === null) {
      if (has('ends repeated registrations')) device.token = undefined;
      return {};
    }
    if (device.error !== null && has('keeps failed registrations')) {
      update(device, { push_registration_error_code: device.error });
      return {};
    }
    if (has('drops the old token at once')) device.token = undefined;
    device.isSentTwice = device.pending === token.id;
    device.pending = token.id;
    device.error = null;
    device.time = Math.floor(Date.now() / (has('milliseconds') ? 1 : 1000));
    if (!has('emits no pending token'))
      update(device, {
        ...keyChange,
        pending_push_token_id: token.id,
        push_token_last_updated_timestamp: device.time,
        push_registration_error_code: null,
      });
    if (!has('stays pending')) setTimeout(() => decide(device, token), DECISION_MS).unref();
    return {};
  }

  function decide(
    device: Device,
    { id, bouncerKey, box }: NonNullable<ReturnType<typeof tokenIn>>,
  ): void {
    if (device.pending !== id) return;
    let opened = open(bouncerKey, box);
    if (typeof opened !== 'string' && tokenId(opened.token) !== id)
      if (!has('takes the token_id of another token')) opened = 'BAD_REQUEST';
    if (typeof opened === 'string') {
      device.error = has('wrong error_code') ? 'SOMETHING' : opened;
      if (has('clears a refused token')) device.pending = undefined;
      update(device, { push_registration_error_code: device.error });
      return;
    }
    device.formerToken = device.token;
    device.token = { ...opened, id };
    device.pending = undefined;
    update(device, { push_token_id: id, pending_push_token_id: null });
  }

  function recipientsOf(device: Device): Recipient[] {
    const { token, formerToken } = device;
    const key = (has('keeps the old key') ? device.formerKey : undefined) ?? device.key;
    if (!key || !token) return [];
    if (device.isSentTwice && has('ends tokens that are sent twice')) return [];
    const tokens = formerToken && has('pushes to old tokens') ? [token, formerToken] : [token];
    return tokens.map(({ token: text, kind, app }) => ({
      token: text,
      kind,
      app,
      id: String(device.id),
      keyName: 'push_key_id',
      keyNumber: key.id,
      encrypt: (payload) => encrypted(payload, key.secret),
      forget() {
        if (has('keeps dead devices')) return false;
        device.token = undefined;
        if (!has('no event for a dead token')) update(device, { push_token_id: null });
        return true;
      },
    }));
  }

  const encrypted = (payload: object, secret: string): string => {
    const key = has('encrypts for another key') ? strangersKey : secret;
    return (has('one nonce for all') ? oneNonce : secretboxCipher).encrypt(payload, key);
  };

  const living = () =>
    [...devices.values()].filter(
      ({ isRemoved = false }) => !isRemoved || has('keeps removed devices'),
    );

  return {
    add,
    remove,
    register,
    /** Those that get pushes. */
    recipients: (): Recipient[] => living().flatMap(recipientsOf),
    /** The `devices` of a user. */
    state: (owner: string): Json =>
      has('forgets the state')
        ? {}
        : Object.fromEntries(
            [...devices.values()]
              .filter((device) => device.owner === owner && !device.isRemoved)
              .map((device) => [String(device.id), stateOf(device)]),
          ),
  };
}

const withoutNull = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
