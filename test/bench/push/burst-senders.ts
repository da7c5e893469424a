import { join } from 'node:path';

import type { TokenKind } from '@bellhop/protocol';
import type { Device } from '@bellhop/push-simulator';

import { type PushPhone, pushRequestTo, registerPhone } from '../../support/push-server.ts';
import { forkChild } from '../fork-child.ts';
import { type Providers, startBouncer } from './bouncer-process.ts';
import type { SendOrder, SendReport } from './child-send.ts';
import type { LibraryTarget } from './push-library.ts';

/** Prepares one notification for each device. The result sends them at once, and resolves with the tokens called dead. */
type PrepareBurst = (devices: readonly Device[]) => Promise<() => Promise<ReadonlySet<string>>>;

/** A way to send notifications to one provider. */
export interface BurstSender {
  readonly name: string;
  readonly kinds: readonly TokenKind[];
  /** Whether it sends again after it has answered its caller. */
  readonly hasQueue: boolean;
  readonly start: (stack: AsyncDisposableStack, options: StartOptions) => Promise<PrepareBurst>;
}
interface StartOptions {
  readonly kind: TokenKind;
  readonly providers: Providers;
  /** The URL of a new, empty database. */
  readonly newDatabase: () => Promise<string>;
}

const bouncer: BurstSender = {
  name: 'Bellhop bouncer',
  kinds: ['apns', 'fcm'],
  hasQueue: true,
  async start(stack, { kind, providers, newDatabase }) {
    const databaseUrl = await newDatabase();
    const { url, keyPair, server } = await startBouncer(stack, providers, { databaseUrl });
    return async (devices) => {
      const phones = new Map<number, PushPhone>();
      for (const device of devices) {
        const phone = await registerPhone(url, server, {
          kind,
          device,
          publicKey: keyPair.publicKey,
        });
        phones.set(phone.deviceId, phone);
      }
      const push_requests = [...phones.values()].map((phone) => pushRequestTo(phone, 'text'));
      return async () => {
        const { outcomes } = await server
          .remotes(url)
          .push.notify({ realm_uuid: server.realmUuid, push_requests });
        return new Set(
          outcomes.flatMap(({ outcome, device_id }) =>
            outcome === 'dead' && device_id !== null ? (phones.get(device_id)?.token ?? []) : [],
          ),
        );
      };
    };
  },
};

/** A library of test/bench/peers; the same calls again as its caller would have to make are not made. */
const library = (name: string, file: string, kind: TokenKind): BurstSender => ({
  name,
  kinds: [kind],
  hasQueue: false,
  async start(stack, { providers }) {
    const { ca, credentials } = providers;
    const url = kind === 'apns' ? providers.apns_url : providers.fcm_url;
    const target: LibraryTarget = { url, ca, ...credentials };
    const child = stack.use(
      await forkChild(join(import.meta.dirname, 'child-send.ts'), {
        args: [file, JSON.stringify(target)],
      }),
    );
    return async (devices) => {
      const notifications = devices.map(({ token }) => ({ token, text: 'text' }));
      const order: SendOrder = { notifications, concurrency: devices.length };
      return async () => {
        const { results } = (await child.ask(order)) as SendReport;
        return new Set(
          devices.filter((_, index) => results[index] === 'dead').map(({ token }) => token),
        );
      };
    };
  },
});

export const burstSenders: readonly BurstSender[] = [
  bouncer,
  library('@parse/node-apn', 'peers/node-apn', 'apns'),
  library('apns2', 'peers/apns2', 'apns'),
  library('firebase-admin', 'peers/firebase-admin', 'fcm'),
];
