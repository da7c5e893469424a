import type { IncomingMessage } from 'node:http';

import { listen } from '@bellhop/http';
import { parseJson, PushGeneration, stringifyJson } from '@bellhop/protocol';
import { type KeyPair, openJson, sealing, tokenId } from '@bellhop/push-crypto';
import type { PushSimulator } from '@bellhop/push-simulator';

/** The faults of a bouncer in memory that concern phones of levels 406 to 467. */
export type AccountFault =
  | 'new device_id each time'
  | 'device_id as text'
  | 'rounds push_account_id'
  | 'takes browsers without keys'
  | 'drops TTL and urgency'
  | 'takes no browsers';
/** Those that concern phones of level 468 and later. */
export type TokenFault =
  | 'takes any token_id'
  | 'lower-cases tokens'
  | 'takes token IDs without padding'
  | 'takes no box twice'
  | 'no delete_token_ids'
  | 'no expected_end_timestamp'
  | 'push_key_id as text in APNs'
  | 'one item for each token_id'
  | 'stays dead';
/** Those that concern all phones, or none. */
export type CommonFault =
  | 'forgets created'
  | 'takes any key'
  | 'wrong code for a wrong key of a server'
  | 'no announcement needed'
  | 'takes old registrations'
  | 'takes future registrations'
  | 'wrong code for an unknown key'
  | 'takes URL-safe base64'
  | 'takes any ios_app_id'
  | 'takes any token'
  | 'takes replayed boxes'
  | 'loses counts'
  | 'changes the payload'
  | 'drops the priority'
  | 'forgets dead devices'
  | 'reaches into other realms'
  | 'calls devices dead in an outage'
  | 'one bad item fails all'
  | 'fails on other kinds'
  | 'ignores Idempotency-Key';
export type BouncerFault = AccountFault | TokenFault | CommonFault;

type Json = Record<string, unknown>;
type TokenKind = 'apns' | 'fcm' | 'webpush';
interface StoredDevice {
  readonly id: number;
  readonly realm: string;
  /** A push_account_id or a token_id. */
  readonly name: string;
  readonly token: string;
  readonly token_kind: TokenKind;
  readonly app_id: string;
}
class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}
const kinds: readonly TokenKind[] = ['apns', 'fcm', 'webpush'];
const optionsOf: Readonly<Record<TokenKind, string>> = {
  apns: 'http_headers',
  fcm: 'fcm_priority',
  webpush: 'webpush_headers',
};
/** The token of a box that was taken without being opened. */
const UNREAD = 'unread';
const bad = (code = 'BAD_REQUEST') => new Refusal(400, code);

/**
 * A small bouncer in memory that delivers to the simulator's phones of these `generations`, with the given faults. With
 * `isCautious` a dead phone is kept until another notification has been accepted and the provider
 * calls it dead again.
 */
export async function startFaultyBouncer(
  simulator: PushSimulator,
  faults: readonly BouncerFault[] = [],
  {
    isCautious = false,
    generations = PushGeneration.options,
  }: { isCautious?: boolean; generations?: readonly PushGeneration[] } = {},
) {
  const doubted = new Set<string>();
  const believed = new Set<string>();
  const has = (fault: BouncerFault) => faults.includes(fault);
  const keys: KeyPair = sealing.generateKeyPair();
  const servers = new Map<string, string>();
  const realms = new Map<string, string>();
  const devices: StoredDevice[] = [];
  const boxes = new Map<string, string>();
  /** Realm and name of the devices that the provider has called dead. */
  const expired = new Set<string>();
  const answers = new Map<string, Json>();

  function login(request: IncomingMessage): string {
    const [id = '', key = ''] = atob((request.headers.authorization ?? '').slice(6)).split(':');
    if (!servers.has(id) || (servers.get(id) !== key && !has('takes any key')))
      throw new Refusal(401, 'UNAUTHORIZED');
    return id;
  }

  function requireRealm(realm: string, server: string): void {
    const owner = realms.get(realm);
    if (owner === undefined && !has('no announcement needed'))
      throw new Refusal(403, 'MISSING_REMOTE_REALM');
    if (owner !== undefined && owner !== server)
      throw new Refusal(403, 'REMOTE_REALM_SERVER_MISMATCH_ERROR');
  }

  function registerServer(form: URLSearchParams): Json {
    const field = (name: string) => form.get(name) ?? missing();
    const [id, key] = [field('zulip_org_id'), field('zulip_org_key')];
    field('hostname');
    field('contact_email');
    const known = servers.get(id);
    if (known !== undefined && known !== key)
      throw bad(has('wrong code for a wrong key of a server') ? 'OOPS' : 'INVALID_ZULIP_SERVER');
    servers.set(id, key);
    return has('forgets created') ? {} : { created: known === undefined };
  }

  function announce(form: URLSearchParams, server: string): Json {
    const list = JSON.parse(form.get('realms') ?? '[]') as { uuid: string }[];
    for (const { uuid } of list) realms.set(uuid, server);
    const status = { can_push: true, expected_end_timestamp: null };
    return { realms: Object.fromEntries(list.map(({ uuid }) => [uuid, status])) };
  }

  function registerDevice(form: URLSearchParams, server: string): Json {
    const field = (name: string) => form.get(name) ?? missing();
    const isOfToken = form.has('token_id') && generations.includes('device');
    if (!isOfToken && !generations.includes('account')) missing();
    const name = isOfToken ? field('token_id') : field('push_account_id');
    const realm = field('realm_uuid');
    const [box, key] = [field('encrypted_push_registration'), field('bouncer_public_key')];
    requireRealm(realm, server);
    if (key !== keys.publicKey)
      throw bad(
        has('wrong code for an unknown key') ? 'BAD_REQUEST' : 'INVALID_BOUNCER_PUBLIC_KEY',
      );
    const registration = openBox(box);
    if (isOfToken && registration.token !== UNREAD) requireTokenId(name, registration);
    const former = boxes.get(box);
    const owner = `${realm} ${name}`;
    if (former !== undefined && isOfToken && has('takes no box twice')) throw bad();
    if (former !== undefined && former !== owner && !has('takes replayed boxes')) throw bad();
    boxes.set(box, owner);
    if (!has('stays dead')) expired.delete(owner);
    const same = devices.find((one) => one.name === name && one.token === registration.token);
    const id = same && !has('new device_id each time') ? same.id : devices.length + 1;
    devices.push({ ...registration, id, realm, name });
    return isOfToken ? {} : { device_id: has('device_id as text') ? String(id) : id };
  }

  function requireTokenId(
    given: string,
    { token, token_kind }: Pick<StoredDevice, 'token' | 'token_kind'>,
  ): void {
    const isLowered = token_kind === 'apns' && has('lower-cases tokens');
    const id = tokenId(isLowered ? token.toLowerCase() : token);
    const isShort = has('takes token IDs without padding') && given === id.replaceAll('=', '');
    if (given !== id && !isShort && !has('takes any token_id')) throw bad();
  }

  function openBox(box: string) {
    const isUrlSafe = has('takes URL-safe base64') && /[-_]/.test(box);
    if (isUrlSafe) return { token: UNREAD, token_kind: 'fcm', app_id: '' } as const;
    let content: Json;
    try {
      content = openJson(sealing, box, keys) as Json;
    } catch {
      throw bad();
    }
    const { token, token_kind, timestamp, ios_app_id: app = null } = content;
    const isIos = token_kind === 'apns';
    const kind = kinds.find((one) => one === token_kind);
    if (typeof token !== 'string' || !kind) throw bad();
    if (kind === 'webpush') requireBrowser(token, content['webpush_keys'] as Json | undefined);
    if (!Number.isInteger(timestamp)) throw bad();
    if (!has('takes any token') && !/^.{1,4096}$/s.test(token)) throw bad();
    if (!has('takes any token') && isIos && !/^([0-9a-f]{2})+$/i.test(token)) throw bad();
    const isApp = typeof app === 'string' && /^[\w.-]+$/.test(app);
    if (!has('takes any ios_app_id') && isIos !== isApp) throw bad();
    if (!has('takes any ios_app_id') && !isIos && app !== null) throw bad();
    const age = Date.now() / 1000 - Number(timestamp);
    if (age > 86_400 && !has('takes old registrations')) throw bad('REQUEST_EXPIRED');
    if (age < -172_800 && !has('takes future registrations')) throw bad('REQUEST_EXPIRED');
    return { token, token_kind: kind, app_id: String(app) };
  }

  function requireBrowser(endpoint: string, keys: Json | undefined): void {
    if (has('takes no browsers') || !endpoint.startsWith('https:')) throw bad();
    if (String(keys?.['p256dh']).length !== 87 && !has('takes browsers without keys')) throw bad();
  }

  function notify(body: unknown, server: string, idempotencyKey: string | undefined): Json {
    const { realm_uuid: realm, push_requests: items } = (body ?? {}) as Json;
    if (typeof realm !== 'string' || !Array.isArray(items)) throw bad();
    requireRealm(realm, server);
    const isKeyed = idempotencyKey !== undefined && !has('ignores Idempotency-Key');
    const known = isKeyed ? answers.get(idempotencyKey) : undefined;
    if (known) return known;
    const counts = { fcm: 0, apns: 0, webpush: 0 };
    const dead = { device: [] as unknown[], token: [] as unknown[] };
    const sent = new Set<unknown>();
    for (const { device_id, token_id, ...item } of items as Json[]) {
      if (token_id !== undefined && has('one item for each token_id') && sent.has(token_id))
        continue;
      sent.add(token_id);
      const outcome = push({ ...item, device_id, token_id }, realm);
      if (outcome === 'dead' && !has('forgets dead devices'))
        (token_id === undefined ? dead.device : dead.token).push(token_id ?? device_id);
      if (outcome !== 'dead' && outcome !== 'refused') counts[outcome]++;
    }
    const answer = {
      ...(has('loses counts') ? {} : { apple_successfully_sent_count: counts.apns }),
      android_successfully_sent_count: counts.fcm,
      web_successfully_sent_count: counts.webpush,
      ...(generations.includes('account') ? { delete_device_ids: dead.device } : {}),
      ...(generations.includes('device') && !has('no delete_token_ids')
        ? { delete_token_ids: dead.token }
        : {}),
      realm_push_status: {
        can_push: true,
        ...(has('no expected_end_timestamp') ? {} : { expected_end_timestamp: null }),
      },
    };
    if (isKeyed) answers.set(idempotencyKey, answer);
    return answer;
  }

  function push(item: Json, realm: string): TokenKind | 'dead' | 'refused' {
    const { device_id, token_id, payload } = item as { payload?: Json } & Json;
    const device = devices.find(({ id, name, realm: own }) =>
      token_id === undefined
        ? id === device_id
        : name === token_id && (own === realm || has('reaches into other realms')),
    );
    const simulated = device && simulator.devices.find(device.token);
    const isReachable = device?.realm === realm || has('reaches into other realms');
    if (!device || !isReachable || !simulated) return 'dead';
    const { token, token_kind: kind, name } = device;
    const fault = simulator.faults.take(kind, token);
    const owner = `${device.realm} ${name}`;
    if (expired.has(owner)) return 'dead';
    const isGone = typeof fault === 'object' && 'status' in fault && fault.status === 410;
    if (simulated.uninstalled || isGone) {
      if (isCautious && !believed.has(token)) {
        doubted.add(token);
        return 'refused';
      }
      expired.add(owner);
      return 'dead';
    }
    const isForKind = optionsOf[kind] in item;
    if (!isForKind && 'http_headers' in item && has('fails on other kinds'))
      throw new Error('kind');
    const data = (payload?.['encrypted_data'] ?? '') as string;
    const isGood =
      isForKind && data !== '' && data.length < 4000 && item['fcm_priority'] !== 'urgent';
    if (!isGood && has('one bad item fails all')) throw bad();
    if (!isGood || !payload) return 'refused';
    if (fault !== undefined) return has('calls devices dead in an outage') ? 'dead' : 'refused';
    for (const dead of doubted) believed.add(dead);
    const { push_account_id: account, push_key_id: key } = payload;
    const sent: Json = {
      ...payload,
      ...(has('rounds push_account_id') ? { push_account_id: Number(account) } : {}),
      ...(has('push_key_id as text in APNs') ? { push_key_id: String(key) } : {}),
      ...(has('changes the payload') ? { extra: 'x' } : {}),
    };
    deliver(device, item, sent);
    return kind;
  }

  function deliver({ token, token_kind, app_id }: StoredDevice, item: Json, payload: Json): void {
    const headers = (item['http_headers'] ?? {}) as Json;
    const shared = { token, collapse_key: null, collapse_id: null };
    const priority = has('drops the priority') ? undefined : item['fcm_priority'];
    if (token_kind === 'webpush') {
      const { ttl, urgency, topic = null } = item['webpush_headers'] as Record<string, string>;
      const isDropped = has('drops TTL and urgency');
      const options = isDropped
        ? { ttl: 0, urgency: 'normal', topic: null }
        : { ttl: Number(ttl), urgency: String(urgency), topic };
      const body = stringifyJson(payload);
      const content = { kind: token_kind, token, message_id: 'm', ...options, body };
      simulator.devices.deliver({ content, expires_at: Date.now() + 60_000 });
      return;
    }
    const content =
      token_kind === 'fcm'
        ? {
            ...shared,
            kind: 'fcm' as const,
            message_id: 'm',
            priority: priority === 'normal' ? ('normal' as const) : ('high' as const),
            data: Object.fromEntries(Object.entries(payload).map(([k, v]) => [k, String(v)])),
          }
        : {
            ...shared,
            kind: 'apns' as const,
            apns_id: 'a',
            topic: app_id,
            push_type: String(headers['apns_push_type']),
            priority: has('drops the priority') ? 10 : Number(headers['apns_priority']),
            payload: JSON.parse(stringifyJson(payload)) as Json,
            body: stringifyJson(payload),
          };
    simulator.devices.deliver({ content, expires_at: Date.now() + 60_000 });
  }

  async function answer(request: IncomingMessage): Promise<Json> {
    const text = await textOf(request);
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    const form = () => new URLSearchParams(text);
    switch (path.replace('/api/v1/remotes', '')) {
      case '/server/register':
        return registerServer(form());
      case '/server/analytics':
        return announce(form(), login(request));
      case '/push/e2ee/register':
        return registerDevice(form(), login(request));
      case '/push/e2ee/notify': {
        const key = request.headers['idempotency-key'];
        return notify(parse(text), login(request), key === undefined ? undefined : String(key));
      }
      default:
        throw new Refusal(404, 'NOT_FOUND');
    }
  }

  const listening = await listen((request, response) => {
    void answer(request)
      .then((result) => ({ status: 200, body: { result: 'success', msg: '', ...result } }))
      .catch((error: unknown) => {
        const { status, code } = error instanceof Refusal ? error : new Refusal(500, 'INTERNAL');
        return { status, body: { result: 'error', msg: code, code } };
      })
      .then(({ status, body }) => response.writeHead(status).end(stringifyJson(body)));
  });
  return { url: listening.url, bouncerPublicKey: keys.publicKey, stop: () => listening.stop(0) };
}

function missing(): never {
  throw bad('REQUEST_VARIABLE_MISSING');
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw bad();
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size < 1_000_000) chunks.push(chunk);
  }
  if (size >= 1_000_000) throw new Refusal(413, 'TOO_LARGE');
  return Buffer.concat(chunks).toString();
}
