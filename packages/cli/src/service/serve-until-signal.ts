import type { RequestListener } from 'node:http';

import { listen, PortTaken } from '@bellhop/http';
import type { Logger } from 'pino';

import { Complaint } from '../command-line/command.ts';
import { untilSignal } from '../until-signal.ts';
import type { Storage } from './open-storage.ts';

interface Service {
  readonly listener: RequestListener;
  readonly stop: () => Promise<void>;
}
interface Production {
  readonly log: Logger;
  readonly port: number;
  readonly host: string;
  /** The variable that chooses the port, for advice. */
  readonly portVariable: string;
  readonly openStorage: () => Promise<Storage>;
  readonly create: (storage: Storage) => Promise<Service>;
}

/** How long running requests may take to end: with the rest, a stop takes less than 2 s. */
const GRACE_MS = 1200;

/** Runs a service on its database and its port until a signal; stops whatever was started. */
export function serveUntilSignal(production: Production): Promise<number> {
  const { log, port, host, portVariable, openStorage, create } = production;
  return untilSignal({
    onAsked: () => log.info('stopping'),
    start: async (asked) => {
      await using ends = new AsyncDisposableStack();
      const storage = await openStorage();
      ends.defer(storage.stop);
      asked.throwIfAborted();
      const service = await create(storage);
      const ending = ends.adopt({ stopListening: async () => {} }, async ({ stopListening }) => {
        await Promise.all([stopListening(), service.stop()]);
      });
      const listening = await listen(service.listener, { port, host }).catch((error: unknown) => {
        if (!(error instanceof PortTaken)) throw error;
        throw new Complaint(`${error.message}: choose another with ${portVariable}.`);
      });
      ending.stopListening = () => listening.stop(GRACE_MS);
      log.info({ url: listening.url }, 'listening');
      const started = ends.move();
      return async () => {
        await started.disposeAsync();
        log.info('stopped');
      };
    },
  });
}
