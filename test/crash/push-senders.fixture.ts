import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { type ClientOf, createClientFor } from '@bellhop/client';
import { bouncer as contract, type Bouncer, needsAppId, TokenKind } from '@bellhop/protocol';
import { parsePublicKey, sealing, sealJson } from '@bellhop/push-crypto';
import { appDataOf, type PushSimulator } from '@bellhop/push-simulator';

const PAUSE_MS = 50;
const REACHED_WITHIN_MS = 60_000;

export interface PushOptions {
  readonly simulator: PushSimulator;
  /** The key that phones seal their registrations for. */
  readonly publicKey: string;
  /** Address of the bouncer, which may change. */
  readonly url: () => string;
}

interface Phone {
  readonly kind: TokenKind;
  readonly deviceId: number;
  readonly pushAccountId: bigint;
}

/** A chat server that sends notifications to its phones all the time, also after errors. */
export interface PushSenders {
  /** What the notifications hold that the bouncer answered for. */
  readonly acknowledged: readonly string[];
  /** What the phones received. */
  readonly received: readonly string[];
  /** Resolves when `count` more notifications are acknowledged. Rejects after a minute. */
  readonly acknowledgedMore: (count: number) => Promise<void>;
  /** Resolves when the phones have received all that is acknowledged, or after a minute. */
  readonly allReceived: () => Promise<void>;
  /** Resolves when the last request has ended. */
  readonly stop: () => Promise<void>;
}

/** Registers a chat server and 10 phones of each kind, and starts 4 senders. */
export async function startPushSenders(options: PushOptions): Promise<PushSenders> {
  const { simulator, url } = options;
  const [id, key, realm_uuid] = [randomUUID(), randomBytes(32).toString('hex'), randomUUID()];
  const client = (): ClientOf<Bouncer> =>
    createClientFor(contract, { url: url(), prefix: '/api/v1/remotes', email: id, apiKey: key });
  await client().servers.register({
    zulip_org_id: id,
    zulip_org_key: key,
    hostname: 'chat.example.com',
    contact_email: 'admin@example.com',
  });
  const realm = { id: 1, host: 'chat.example.com', url: 'https://chat.example.com' };
  await client().servers.announce({
    realm_counts: [],
    installation_counts: [],
    realms: [{ ...realm, uuid: realm_uuid, uuid_owner_secret: 'secret' }],
  });

  const received: string[] = [];
  const register = async (kind: TokenKind): Promise<Phone> => {
    const { token, app_id } = simulator.addDevice({ kind });
    simulator.devices.listen(token, (notification) =>
      received.push(String(appDataOf(notification).fields['encrypted_data'])),
    );
    const pushAccountId = randomBytes(8).readBigInt64LE();
    const registration = {
      token,
      token_kind: kind,
      timestamp: Math.floor(Date.now() / 1_000),
      ...(needsAppId(kind) ? { ios_app_id: app_id } : {}),
    };
    const { device_id } = await client().push.register({
      realm_uuid,
      push_account_id: pushAccountId,
      encrypted_push_registration: sealJson(
        sealing,
        registration,
        parsePublicKey(options.publicKey),
      ),
      bouncer_public_key: options.publicKey,
    });
    return { kind, deviceId: device_id, pushAccountId };
  };
  const kinds = TokenKind.options.flatMap((kind) => Array<TokenKind>(10).fill(kind));
  const phones = await Promise.all(kinds.map(register));

  const acknowledged: string[] = [];
  const errors: unknown[] = [];
  let isStopped = false;
  const send = async (sender: number) => {
    for (let at = 0; !isStopped; at++) {
      const texts = phones.map(({ deviceId }) => `${sender} ${at} ${deviceId}`);
      const push_requests = phones.map((phone, index) => requestTo(phone, texts[index] ?? ''));
      try {
        const answer = await client().push.notify({ realm_uuid, push_requests });
        if (answer.outcomes.every(({ outcome }) => ['accepted', 'queued'].includes(outcome)))
          acknowledged.push(...texts);
        else errors.push(answer);
      } catch (error) {
        errors.push(error);
        await sleep(PAUSE_MS);
      }
    }
  };
  const sending = Promise.all([0, 1, 2, 3].map(send));
  const reached = async (isReached: () => boolean) => {
    for (const end = performance.now() + REACHED_WITHIN_MS; !isReached();) {
      if (performance.now() > end) return false;
      await sleep(10);
    }
    return true;
  };
  return {
    acknowledged,
    received,
    acknowledgedMore: async (more) => {
      const wanted = acknowledged.length + more;
      if (!(await reached(() => acknowledged.length >= wanted)))
        throw new Error(
          `Only ${acknowledged.length} of ${wanted} notifications were acknowledged; the last error: ${String(errors.at(-1))}`,
        );
    },
    allReceived: async () => {
      await reached(() => {
        const found = new Set(received);
        return acknowledged.every((text) => found.has(text));
      });
    },
    stop: async () => {
      isStopped = true;
      await sending;
    },
  };
}

function requestTo({ kind, deviceId, pushAccountId }: Phone, encrypted_data: string) {
  const payload = { push_account_id: pushAccountId, encrypted_data };
  return kind === 'fcm'
    ? { device_id: deviceId, fcm_priority: 'high' as const, payload }
    : {
        device_id: deviceId,
        http_headers: { apns_priority: 10 as const, apns_push_type: 'alert' as const },
        payload: { ...payload, aps: {} },
      };
}
