import { setTimeout as sleep } from 'node:timers/promises';

import type { TokenKind } from '@bellhop/protocol';
import { appDataOf, type Notification, type PushSimulator } from '@bellhop/push-simulator';
import { vi } from 'vitest';

import {
  type PushPhone,
  type PushServer,
  registerPhone,
  phoneKinds,
} from '../support/push-server.ts';

const DAY_SECONDS = 86_400;
/** Longer than most pauses of a provider that the faults cause. */
const ARRIVE_WITHIN_MS = 40_000;

/** A notification on its way to a phone of the test. */
export interface TrackedNotification {
  readonly text: string;
  readonly phone: TrackedPhone;
  /** False if the app was not on the phone all the time since the notification was made. */
  mustArrive: boolean;
}

export interface TrackedPhone extends PushPhone {
  readonly server: PushServer;
  readonly sent: TrackedNotification[];
  isInstalled: boolean;
  wasUninstalled: boolean;
}

interface PhonesOptions {
  readonly simulator: PushSimulator;
  readonly publicKey: string;
  /** Address of a bouncer. */
  readonly url: () => string;
}

/** Phones that come and go, and what they receive. */
export interface PushPhones {
  readonly all: readonly TrackedPhone[];
  /** The arrivals by the text of the notification: the `apns-id` of each, null from FCM. */
  readonly arrivals: ReadonlyMap<string, readonly (string | null)[]>;
  /**
   * Resolves when so many phones of each kind have received a notification whose text begins so, or after
   * 40 s: the provider may be paused for longer.
   */
  readonly arrived: (start: string, count: number) => Promise<void>;
  /** A notification to the phone. */
  readonly notificationTo: (phone: TrackedPhone, text: string) => TrackedNotification;
  /** Uninstalls the app on so many phones that never lost it. */
  readonly uninstall: (count: number) => void;
  /** Installs and registers it again on so many phones that lost it. */
  readonly reinstall: (count: number) => Promise<void>;
}

/**
 * Registers `count` phones with the servers in turn, of both kinds, half of them named by their tokens. The
 * clocks of some are wrong.
 */
export async function registerPhones(
  servers: readonly PushServer[],
  count: number,
  { simulator, publicKey, url }: PhonesOptions,
): Promise<PushPhones> {
  const arrivals = new Map<string, (string | null)[]>();
  const receive = (notification: Notification) => {
    const text = String(appDataOf(notification).fields['encrypted_data']);
    const id = notification.kind === 'apns' ? notification.apns_id : null;
    arrivals.set(text, [...(arrivals.get(text) ?? []), id]);
  };
  const all: TrackedPhone[] = [];
  for (let index = 0; index < count; index++) {
    const server = servers[index % servers.length];
    if (!server) throw new Error('There is no server');
    const kind = phoneKinds[Math.floor(index / servers.length) % phoneKinds.length];
    if (!kind) throw new Error('There is no kind of token');
    const device = simulator.addDevice({ kind });
    simulator.devices.listen(device.token, receive);
    const clockAheadSeconds = [0, 0, -0.9, 0.9][index % 4]! * DAY_SECONDS;
    const isByToken = Math.floor(index / 4) % 2 === 1;
    const registration = { kind, device, publicKey, clockAheadSeconds, isByToken };
    const phone = await registerPhone(url(), server, registration);
    all.push({ ...phone, server, sent: [], isInstalled: true, wasUninstalled: false });
  }
  return {
    all,
    arrivals,
    arrived: async (start, wanted) => {
      const isHere = ({ text }: TrackedNotification) =>
        text.startsWith(start) && arrivals.has(text);
      const fewest = () => {
        const count = (kind: TokenKind) =>
          all.filter((phone) => phone.kind === kind && phone.sent.some(isHere)).length;
        return Math.min(...phoneKinds.map(count));
      };
      for (const end = performance.now() + ARRIVE_WITHIN_MS; performance.now() < end;) {
        if (fewest() >= wanted) return;
        await sleep(200);
      }
    },
    notificationTo: (phone, text) => {
      const notification = { text, phone, mustArrive: phone.isInstalled };
      phone.sent.push(notification);
      return notification;
    },
    uninstall: (wanted) => {
      const kept = all.filter(({ wasUninstalled }) => !wasUninstalled);
      // An odd step: servers and kinds alternate.
      const step = Math.floor((kept.length / wanted - 1) / 2) * 2 + 1;
      for (const phone of kept.filter((_, index) => index % step === 0).slice(0, wanted)) {
        Object.assign(phone, { isInstalled: false, wasUninstalled: true });
        for (const notification of phone.sent)
          if (!arrivals.has(notification.text)) notification.mustArrive = false;
        simulator.uninstall(phone.token);
      }
    },
    reinstall: async (wanted) => {
      const lost = all.filter(({ isInstalled }) => !isInstalled).slice(0, wanted);
      for (const phone of lost) {
        const { kind, token, server, pushAccountId, tokenId } = phone;
        const isByToken = tokenId !== undefined;
        const device = simulator.addDevice({ kind, token });
        const registration = { kind, device, publicKey, pushAccountId, isByToken };
        await vi.waitFor(() => registerPhone(url(), server, registration), { timeout: 60_000 });
        phone.isInstalled = true;
      }
    },
  };
}
