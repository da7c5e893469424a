import { randomBytes, randomUUID } from 'node:crypto';

import { type ClientOf, createClientFor } from '@bellhop/client';
import {
  type AskedPushRequests,
  type AskedTokenRequests,
  bouncer,
  type Bouncer,
  bouncerV1,
  type BouncerV1,
  needsAppId,
  type TokenKind,
} from '@bellhop/protocol';
import { parsePublicKey, sealing, sealJson, tokenId } from '@bellhop/push-crypto';
import { type Device, webPushKeysOf } from '@bellhop/push-simulator';

// Real chat servers wait this long for the bouncer.
const TIMEOUT_MS = 15_000;

/** The providers of phones, to which other push libraries send too. */
export const phoneKinds = ['apns', 'fcm'] as const;
export type PhoneKind = (typeof phoneKinds)[number];

/** A chat server that a bouncer knows, with one realm. */
export interface PushServer {
  readonly realmUuid: string;
  /** The header `Authorization` of its requests. */
  readonly authorization: string;
  /** The API that public chat servers call, at an address of the bouncer. */
  readonly remotes: (url: string) => ClientOf<Bouncer>;
  readonly v1: (url: string) => ClientOf<BouncerV1>;
}

/** A phone that is registered with a bouncer. */
export interface PushPhone {
  readonly kind: TokenKind;
  readonly token: string;
  readonly deviceId: number;
  readonly pushAccountId: bigint;
  /** What names it instead of the account, at a chat server of level 468 or later. */
  readonly tokenId?: string | undefined;
}

/** Registers a new chat server and its realm. The bouncer must be open to any server. */
export async function registerPushServer(url: string): Promise<PushServer> {
  const [id, key, realmUuid] = [randomUUID(), randomBytes(32).toString('hex'), randomUUID()];
  const hostname = `${id.slice(0, 8)}.example.com`;
  const credentials = { email: id, apiKey: key, timeoutMs: TIMEOUT_MS };
  const server: PushServer = {
    realmUuid,
    authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`,
    remotes: (at) =>
      createClientFor(bouncer, { ...credentials, url: at, prefix: '/api/v1/remotes' }),
    v1: (at) => createClientFor(bouncerV1, { ...credentials, url: at, prefix: '/v1' }),
  };
  await server.remotes(url).servers.register({
    zulip_org_id: id,
    zulip_org_key: key,
    hostname,
    contact_email: 'admin@example.com',
  });
  const realm = { id: 1, host: hostname, url: `https://${hostname}`, uuid_owner_secret: 'secret' };
  await server.remotes(url).servers.announce({
    realm_counts: [],
    installation_counts: [],
    realms: [{ ...realm, uuid: realmUuid }],
  });
  return server;
}

interface NewRegistration {
  readonly kind: TokenKind;
  readonly device: Pick<Device, 'token' | 'app_id'> & Partial<Pick<Device, 'subscription'>>;
  /** The key that phones seal their registrations for. */
  readonly publicKey: string;
  readonly pushAccountId?: bigint;
  /** Names the phone by the ID of its token. */
  readonly isByToken?: boolean;
  /** How far the phone's clock is ahead. */
  readonly clockAheadSeconds?: number;
}

/** The parameters with which a chat server registers the device. */
export function newRegistration(
  { realmUuid }: PushServer,
  { kind, device, publicKey, pushAccountId, clockAheadSeconds = 0 }: NewRegistration,
) {
  const registration = {
    token: device.token,
    token_kind: kind,
    timestamp: Math.floor(Date.now() / 1_000) + clockAheadSeconds,
    ...(needsAppId(kind) ? { ios_app_id: device.app_id } : {}),
    ...(device.subscription ? { webpush_keys: webPushKeysOf(device.subscription) } : {}),
  };
  return {
    realm_uuid: realmUuid,
    push_account_id: pushAccountId ?? randomBytes(8).readBigInt64LE(),
    encrypted_push_registration: sealJson(sealing, registration, parsePublicKey(publicKey)),
    bouncer_public_key: publicKey,
  };
}

/** Registers the device at a bouncer, for its account or a new one. */
export async function registerPhone(
  url: string,
  server: PushServer,
  registration: NewRegistration,
): Promise<PushPhone> {
  const { push_account_id: pushAccountId, ...params } = newRegistration(server, registration);
  const { kind, device, isByToken = false } = registration;
  const named = isByToken ? tokenId(device.token) : undefined;
  const { device_id: deviceId = 0 } = await server.remotes(url).push.register({
    ...params,
    ...(named === undefined ? { push_account_id: pushAccountId } : { token_id: named }),
  });
  return { kind, token: device.token, deviceId, pushAccountId, tokenId: named };
}

/** A notification as chat servers send it. */
export function pushRequestTo(
  { kind, deviceId, pushAccountId, tokenId: token_id }: Omit<PushPhone, 'token'>,
  encrypted_data: string,
): (AskedPushRequests | AskedTokenRequests)[TokenKind] {
  return token_id === undefined
    ? itemFor(kind, { device_id: deviceId }, { push_account_id: pushAccountId, encrypted_data })
    : itemFor(kind, { token_id }, { push_key_id: 4_294_967_295, encrypted_data });
}

const itemFor = <N extends object, P extends object>(kind: TokenKind, name: N, payload: P) =>
  ({
    fcm: { ...name, fcm_priority: 'high' as const, payload },
    apns: {
      ...name,
      http_headers: { apns_priority: 10 as const, apns_push_type: 'alert' as const },
      payload: { ...payload, aps: {} },
    },
    webpush: { ...name, webpush_headers: { ttl: 3_600, urgency: 'high' as const }, payload },
  })[kind];
