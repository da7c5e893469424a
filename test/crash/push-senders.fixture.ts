import { setTimeout as sleep } from 'node:timers/promises';

import type { TokenKind } from '@bellhop/protocol';
import { appDataOf, type PushSimulator } from '@bellhop/push-simulator';

import {
  pushRequestTo,
  registerPhone,
  registerPushServer,
  phoneKinds,
  type PhoneKind,
} from '../support/push-server.ts';

const PAUSE_MS = 50;
const REACHED_WITHIN_MS = 60_000;

export interface PushOptions {
  readonly simulator: PushSimulator;
  /** The key that phones seal their registrations for. */
  readonly publicKey: string;
  /** Address of the bouncer, which may change. */
  readonly url: () => string;
}

/** A chat server that sends notifications to its phones all the time, also after errors. */
export interface PushSenders {
  /** The texts of the notifications that the bouncer answered for. */
  readonly acknowledged: readonly string[];
  /** The texts that the phones received. */
  readonly received: readonly string[];
  /** Resolves when `count` more notifications are acknowledged. Rejects after a minute. */
  readonly acknowledgedMore: (count: number) => Promise<void>;
  /** Resolves when the phones have received all that is acknowledged, or after a minute. */
  readonly allReceived: () => Promise<void>;
  /** Resolves when the last request has ended. */
  readonly stop: () => Promise<void>;
}

/**
 * Registers a chat server and 10 phones of each kind, half of them named by their tokens, and starts 4
 * senders.
 */
export async function startPushSenders(options: PushOptions): Promise<PushSenders> {
  const { simulator, publicKey, url } = options;
  const server = await registerPushServer(url());
  const received: string[] = [];
  const register = async (kind: TokenKind, index: number) => {
    const device = simulator.addDevice({ kind });
    simulator.devices.listen(device.token, (notification) =>
      received.push(String(appDataOf(notification).fields['encrypted_data'])),
    );
    return registerPhone(url(), server, { kind, device, publicKey, isByToken: index % 2 === 1 });
  };
  const kinds = phoneKinds.flatMap((kind) => Array<PhoneKind>(10).fill(kind));
  const phones = await Promise.all(kinds.map(register));

  const acknowledged: string[] = [];
  const errors: unknown[] = [];
  let isStopped = false;
  const send = async (sender: number) => {
    for (let at = 0; !isStopped; at++) {
      const texts = phones.map(({ deviceId }) => `${sender} ${at} ${deviceId}`);
      const push_requests = phones.map((phone, index) => pushRequestTo(phone, texts[index] ?? ''));
      try {
        const answer = await server
          .remotes(url())
          .push.notify({ realm_uuid: server.realmUuid, push_requests });
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
