import type { IncomingMessage } from 'node:http';

import { listen } from '@bellhop/http';
import { PushGeneration, stringifyJson } from '@bellhop/protocol';
import { type KeyPair, openJson, payloadCipher, sealing } from '@bellhop/push-crypto';
import type { PushSimulator } from '@bellhop/push-simulator';

import {
  bad,
  type CommonFault,
  type DeviceFault,
  faultyDevices,
  type Json,
  type Opened,
  type Recipient,
  Refusal,
  type TokenKind,
} from './faulty-devices.fixture.ts';

/** The faults that concern phones of levels 406 to 467. */
export type AccountFault =
  | 'no var_name'
  | 'takes any push_public_key'
  | 'rounds push_account_id in events'
  | 'rounds push_account_id in APNs'
  | 'pushes to old accounts'
  | 'takes no browsers'
  | 'text in push events';
/** The faults of a chat server in memory. */
export type ServerFault = CommonFault | AccountFault | DeviceFault;

const kinds: readonly string[] = ['apns', 'fcm', 'webpush'];
interface Account extends Opened {
  readonly id: string;
  readonly pushKey: string;
  status: 'active' | 'failed';
  error_code: string | null;
}

/**
 * A small chat server and bouncer in memory that pushes to the simulator's phones, with the given faults.
 * It has phones of these `generations`. With `isBusy` it wants each tenth request later. With `isCautious` a dead phone is kept until another notification has been accepted and the
 * provider calls it dead again.
 */
export async function startFaultyServer(
  simulator: PushSimulator,
  faults: readonly ServerFault[] = [],
  {
    isCautious = false,
    isBusy = false,
    generations = PushGeneration.options,
  }: {
    isCautious?: boolean;
    isBusy?: boolean;
    generations?: readonly PushGeneration[];
  } = {},
) {
  const doubted = new Set<string>();
  const believed = new Set<string>();
  const has = (fault: ServerFault) => faults.includes(fault);
  const keys: KeyPair = sealing.generateKeyPair();
  const strangersKey = payloadCipher.createKey().push_key;
  const accounts = new Map<string, Account>();
  const events: Json[] = [];
  const emit = (event: Json) => void events.push({ id: events.length, ...event });
  const devices = faultyDevices({ has, emit, open });

  const pushDevices = () =>
    Object.fromEntries(
      has('forgets the state')
        ? []
        : [...accounts.values()].map(({ id, status, error_code }) => [id, { status, error_code }]),
    );

  function register(form: URLSearchParams): Json {
    const field = (name: string) => {
      const value = form.get(name);
      if (value !== null) return value;
      const extra = has('no var_name') ? {} : { var_name: name };
      throw new Refusal(400, 'REQUEST_VARIABLE_MISSING', extra);
    };
    const [kind, id, pushKey] = [
      field('token_kind'),
      field('push_account_id'),
      field('push_public_key'),
    ];
    const [bouncerKey, box] = [field('bouncer_public_key'), field('encrypted_push_registration')];
    if (!kinds.includes(kind) && !has('takes any token_kind')) throw bad();
    if (kind === 'webpush' && has('takes no browsers')) throw bad();
    if (!/^-?\d{1,19}$/.test(id)) throw bad();
    if (!/^[A-Za-z0-9+/]{43}=$/.test(pushKey) && !has('takes any push_public_key')) throw bad();
    const known = accounts.get(id);
    if (known?.status === 'active') {
      if (has('ends repeated registrations')) accounts.delete(id);
      return {};
    }
    const account = admit(id, pushKey, { bouncerKey, box });
    if (known && has('keeps failed registrations')) Object.assign(account, known);
    if (!has('pushes to old accounts'))
      for (const old of accounts.values()) if (old.token === account.token) accounts.delete(old.id);
    accounts.set(id, account);
    const shown = has('rounds push_account_id in events') ? String(Number(id)) : id;
    const { status, error_code } = account;
    if (!has('stays pending'))
      emit({
        type: 'push_device',
        push_account_id: shown,
        status,
        ...(error_code === null ? {} : { error_code }),
      });
    return {};
  }

  function admit(id: string, pushKey: string, sent: { bouncerKey: string; box: string }): Account {
    const opened = open(sent.bouncerKey, sent.box);
    if (typeof opened !== 'string')
      return { ...opened, id, pushKey, status: 'active', error_code: null };
    const error_code = has('wrong error_code') ? 'SOMETHING' : opened;
    return { id, pushKey, token: id, kind: 'fcm', app: '', status: 'failed', error_code };
  }

  /** What a box has, or the code of its refusal. */
  function open(bouncerKey: string, box: string): Opened | string {
    if (bouncerKey !== keys.publicKey) return 'INVALID_BOUNCER_PUBLIC_KEY';
    try {
      const opened = openJson(sealing, box, keys) as Json;
      if (Date.now() / 1000 - Number(opened['timestamp']) > 86_400) return 'REQUEST_EXPIRED';
      const kind = opened['token_kind'] as TokenKind;
      return { kind, token: String(opened['token']), app: String(opened['ios_app_id']) };
    } catch {
      return 'BAD_REQUEST';
    }
  }

  const recipientOf = ({ id, pushKey, token, kind, app }: Account): Recipient => ({
    token,
    kind,
    app,
    id,
    keyName: 'push_account_id',
    keyNumber: has('rounds push_account_id in APNs') && kind === 'apns' ? Number(id) : BigInt(id),
    encrypt: (payload) =>
      payloadCipher.encrypt(payload, has('encrypts for another key') ? strangersKey : pushKey),
    forget: () => !has('keeps dead devices') && accounts.delete(id),
  });

  /** Returns whether the phone is alive. */
  function push(recipient: Recipient, payload: Json, isQuiet = false): boolean {
    const { token, kind, app, keyName, keyNumber } = recipient;
    if (simulator.devices.find(token)?.uninstalled !== null) {
      if (isCautious && !believed.has(token)) {
        doubted.add(token);
        return true;
      }
      return !recipient.forget();
    }
    if (simulator.faults.take(kind, token) !== undefined) {
      if (has('stops at a refused push')) throw new Refusal(502, 'FAILED');
      return true;
    }
    for (const dead of doubted) believed.add(dead);
    const common = { realm_url: 'https://chat.example.com', realm_name: 'Chat', user_id: 1 };
    const data = recipient.encrypt({ ...common, ...payload });
    const encrypted_data = has('URL-safe ciphertext')
      ? `${data.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}-_`
      : data;
    const isLow = (isQuiet && !has('removes loudly')) || has('low priority');
    const shared = { token, collapse_key: null, collapse_id: null };
    const isOfDevice = keyName === 'push_key_id';
    const hasAlert = !(isOfDevice && isQuiet) || has('alert in removals');
    const aps = {
      ...(has('no mutable-content') ? {} : { 'mutable-content': 1 }),
      ...(hasAlert && !has('no alert') ? { alert: { title: 'New notification' } } : {}),
      ...(isOfDevice && !has('no sound') ? { sound: 'default' } : {}),
    };
    const number = has('push_key_id as text in APNs') ? String(keyNumber) : keyNumber;
    const text = stringifyJson({ [keyName]: number, encrypted_data, aps });
    if (kind === 'webpush') {
      const title = has('text in push events') ? { title: 'Ada: lunch?' } : {};
      const body = stringifyJson({ [keyName]: keyNumber, encrypted_data, ...title });
      const urgency = isLow ? 'normal' : 'high';
      const content = { kind, token, message_id: 'm', ttl: 60, urgency, topic: null, body };
      simulator.devices.deliver({ content, expires_at: Date.now() + 60_000 });
      return true;
    }
    const content =
      kind === 'fcm'
        ? {
            ...shared,
            kind,
            message_id: 'm',
            priority: isLow ? ('normal' as const) : ('high' as const),
            data: {
              [keyName]: String(keyNumber),
              encrypted_data,
              ...(has('text in FCM data') ? { title: 'Ada: lunch?' } : {}),
            },
          }
        : {
            ...shared,
            kind,
            apns_id: 'a',
            topic: app,
            push_type: isLow ? 'background' : 'alert',
            priority: isLow ? 5 : 10,
            payload: JSON.parse(text) as Json,
            body: text,
          };
    simulator.devices.deliver({ content, expires_at: Date.now() + 60_000 });
    return true;
  }

  const recipients = () => [
    ...[...accounts.values()].filter(({ status }) => status === 'active').map(recipientOf),
    ...devices.recipients(),
  ];

  function testNotification(form: URLSearchParams): Json {
    const id = form.get('push_account_id') ?? form.get('device_id');
    const chosen = recipients().filter((recipient) => id === null || recipient.id === id);
    const alive = chosen.filter((recipient) => push(recipient, { type: 'test', time: 1 }));
    if (alive.length === 0 && !has('tests unknown accounts'))
      throw new Refusal(400, 'NO_ACTIVE_PUSH_DEVICE');
    return {};
  }

  let lastMessageId = 0;
  function sendMessage(form: URLSearchParams): Json {
    const content = form.get('content') ?? '';
    const cut = has('cuts characters') ? `${content.slice(0, 200)}\uD83D` : content.slice(0, 110);
    const payload = {
      type: 'message',
      recipient_type: 'direct',
      ...(has('no recipient_user_ids') ? {} : { recipient_user_ids: [1, 2] }),
      message_id: ++lastMessageId,
      sender_id: 2,
      sender_full_name: 'Ada',
      sender_avatar_url: `${has('relative avatar') ? '' : 'https://chat.example.com'}/avatar/2`,
      time: 1,
      content: content.length < 110 || has('never cuts') ? content : cut,
    };
    for (const recipient of recipients()) push(recipient, payload);
    return { id: lastMessageId };
  }

  function markRead(form: URLSearchParams): Json {
    const message_ids = has('removes nothing by name')
      ? []
      : (JSON.parse(form.get('messages') ?? '[]') as number[]);
    if (!has('never removes'))
      for (const recipient of recipients()) push(recipient, { type: 'remove', message_ids }, true);
    return {};
  }

  let requests = 0;
  async function answer(request: IncomingMessage): Promise<Json> {
    if (++requests % 10 === 0 && isBusy)
      throw new Refusal(429, 'RATE_LIMIT_HIT', { 'retry-after': 0.01 });
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    if (pathname === '/api/v1/server_settings')
      return { zulip_feature_level: has('announces level 420') ? 420 : 470 };
    if (request.headers.authorization === undefined && !has('needs no login'))
      throw new Refusal(401, 'UNAUTHORIZED');
    const owner = request.headers.authorization ?? '';
    switch (`${request.method} ${pathname.replace('/api/v1', '')}`) {
      case 'GET /users/me':
        return { user_id: atob(owner.slice(6)).startsWith('bob') ? 2 : 1 };
      case 'POST /register':
        return {
          queue_id: 'q',
          last_event_id: events.length - 1,
          push_devices: pushDevices(),
          devices: devices.state(owner),
        };
      case 'GET /events': {
        const after = Number(searchParams.get('last_event_id'));
        const isWaiting = searchParams.get('dont_block') === null;
        if (isWaiting && events.length - 1 <= after)
          await new Promise((resolve) => setTimeout(resolve, 20));
        return { events: events.slice(after + 1) };
      }
      case 'DELETE /events':
        return {};
      case 'POST /mobile_push/register':
        if (form.has('device_id') && generations.includes('device'))
          return devices.register(owner, form);
        if (generations.includes('account')) return register(form);
        throw new Refusal(400, 'REQUEST_VARIABLE_MISSING', { var_name: 'device_id' });
      case 'POST /mobile_push/e2ee/test_notification':
        return testNotification(form);
      case 'POST /register_client_device':
        if (!generations.includes('device')) throw new Refusal(404, 'NOT_FOUND');
        return devices.add(owner);
      case 'POST /remove_client_device':
        return devices.remove(owner, Number(form.get('device_id')));
      case 'POST /messages':
        return sendMessage(form);
      case 'POST /messages/flags':
        return markRead(form);
      default:
        throw new Refusal(404, 'NOT_FOUND');
    }
  }

  const listening = await listen((request, response) => {
    void answer(request)
      .then((result): [number, Json] => [200, { result: 'success', msg: '', ...result }])
      .catch((error: unknown): [number, Json] =>
        error instanceof Refusal ? [error.status, error.body] : [500, { msg: String(error) }],
      )
      .then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)));
  });
  return { url: listening.url, bouncerPublicKey: keys.publicKey, stop: () => listening.stop(0) };
}
