import type { RequestListener } from 'node:http';

import { listen, PortTaken } from '@bellhop/http';
import type { Logger } from 'pino';

import { UserError } from '../command-line/user-error.ts';
import { untilSignal } from '../until-signal.ts';
import type { Storage, StorageOptions } from './open-storage.ts';

interface Service {
  readonly listener: RequestListener;
  readonly stop: () => Promise<void>;
}
interface ServiceOptions {
  readonly log: Logger;
  readonly port: number;
  readonly host: string;
  /** The variables that choose the address and the port; errors name them. */
  readonly hostVariable: string;
  readonly portVariable: string;
  readonly openStorage: (hooks: Pick<StorageOptions, 'log' | 'onGone'>) => Promise<Storage>;
  readonly create: (storage: Storage) => Promise<Service>;
}

/** How long running requests may take to end. With the rest, a stop takes less than 2 s. */
const GRACE_MS = 1200;

/**
 * Runs a service on its database and its port until a signal, or until its embedded PostgreSQL does
 * not stay up: then returns 1. Stops all of it, also after a failed start.
 */
export async function serveUntilSignal(options: ServiceOptions): Promise<number> {
  const { log, port, host, openStorage, create } = options;
  let isGone = false;
  const code = await untilSignal({
    onSignal: () => log.info('stopping'),
    start: async (stopping, end) => {
      await using cleanup = new AsyncDisposableStack();
      const storage = await openStorage({
        log: (message) => log.info(message),
        onGone: (error) => {
          log.fatal({ err: error }, 'the database is gone');
          isGone = true;
          end();
        },
      });
      cleanup.defer(storage.stop);
      stopping.throwIfAborted();
      const service = await create(storage);
      const ending = cleanup.adopt({ stopListening: async () => {} }, async ({ stopListening }) => {
        await Promise.all([stopListening(), service.stop()]);
      });
      const listening = await listen(service.listener, { port, host }).catch((error: unknown) => {
        throw listenError(error, options);
      });
      ending.stopListening = () => listening.stop(GRACE_MS);
      log.info({ url: listening.url }, 'listening');
      const started = cleanup.move();
      return async () => {
        await started.disposeAsync();
        log.info('stopped');
      };
    },
  });
  return isGone ? 1 : code;
}

/** A UserError that names the variable, if another address or port would help. */
function listenError(error: unknown, options: ServiceOptions): unknown {
  const { host, port, hostVariable, portVariable } = options;
  if (error instanceof PortTaken)
    return new UserError(`${error.message}: choose another with ${portVariable}.`);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES')
    return new UserError(`${portVariable}: this user may not listen on port ${port}.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new UserError(`${hostVariable}: ${host} is not an address of this machine.`);
  return error;
}
