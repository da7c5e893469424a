import type { RequestListener } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import { untilSignal, UserError } from '@bellhop/bot-cli/command-line';
import { listen, PortTaken, startingPages, type StartTrouble } from '@bellhop/http';
import type { Logger } from 'pino';

import type { Storage, StorageOptions } from './open-storage.ts';
import { Reloader } from './reloader.ts';
import { type DatabaseWait, whenDatabaseWorks } from './when-database-works.ts';

interface Service {
  readonly listener: RequestListener;
  readonly metrics: RequestListener;
  /** From now on `/readyz` answers 503. */
  readonly leave: () => void;
  readonly stop: () => Promise<void>;
}
interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** The variables that choose the address and the port; errors name them. */
  readonly hostVariable: string;
  readonly portVariable: string;
}
interface ServiceOptions extends ListenAddress {
  readonly log: Logger;
  /**
   * How long the service goes on after SIGTERM while `/readyz` answers 503, so that no proxy sends
   * requests to a closed port. Ctrl-C does not wait.
   */
  readonly stopDelaySeconds: number;
  readonly databaseWait: DatabaseWait;
  /** The address of the metrics; undefined if they are not served. */
  readonly metricsAddress: ListenAddress | undefined;
  readonly openStorage: (hooks: Pick<StorageOptions, 'log' | 'onGone'>) => Promise<Storage>;
  readonly create: (storage: Storage) => Promise<Service>;
  /** Takes over a changed configuration, at SIGHUP. Without it SIGHUP stops the service. */
  readonly reload?: () => Promise<void>;
}

/** How long running requests may take to end. With the rest, a stop takes less than 2 s. */
const GRACE_MS = 1200;
/** When a stop closes the database although jobs wait for it: longer than jobs may run on. */
const STOP_WITHIN_MS = 9000;

/**
 * Runs a service on its database and its port until a signal, or until its embedded PostgreSQL does
 * not stay up: then returns 1. Stops all of it, also after a failed start. The port is open from the
 * beginning, so that a start that waits or migrates is alive and says why it is not ready.
 */
export async function serveUntilSignal(options: ServiceOptions): Promise<number> {
  const { log, metricsAddress, stopDelaySeconds, reload } = options;
  const reloader =
    reload &&
    new Reloader(() => reload().catch((error) => log.error({ err: error }, 'the reload failed')));
  let isGone = false;
  const code = await untilSignal({
    onSignal: () => log.info('stopping'),
    ...(reloader ? { onHangup: () => reloader.request() } : {}),
    start: async (stopping, end) => {
      await using cleanup = new AsyncDisposableStack();
      let trouble: StartTrouble | undefined;
      let listener = startingPages(() => trouble);
      const listening = await listenAt((request, response) => listener(request, response), options);
      cleanup.defer(() => listening.stop(0));
      const onGone = (error: Error) => {
        log.fatal({ err: error }, 'the database is gone');
        isGone = true;
        end();
      };
      const { storage, service } = await whenDatabaseWorks(
        () => openService(options, stopping, onGone),
        { ...options.databaseWait, log, stopping, onTrouble: (found) => (trouble = found) },
      );
      const giveUp = () => void storage.stop().catch(() => {});
      cleanup.defer(storage.stop);
      cleanup.defer(async () => {
        await reloader?.stop();
        const late = setTimeout(giveUp, STOP_WITHIN_MS);
        await Promise.all([listening.stop(GRACE_MS), service.stop()]);
        clearTimeout(late);
      });
      if (metricsAddress) {
        const metrics = await listenAt(service.metrics, metricsAddress);
        cleanup.defer(() => metrics.stop(0));
        log.info({ url: `${metrics.url}/metrics` }, 'serving metrics');
      }
      ({ listener } = service);
      log.info({ url: listening.url }, 'listening');
      const started = cleanup.move();
      reloader?.start();
      return async (signal) => {
        service.leave();
        listening.leave();
        if (signal === 'SIGTERM' && stopDelaySeconds > 0) {
          log.info({ seconds: stopDelaySeconds }, '/readyz answers 503; then the port closes');
          await wait(stopDelaySeconds * 1000);
        }
        await started.disposeAsync();
        log.info('stopped');
      };
    },
  });
  return isGone ? 1 : code;
}

interface OpenService {
  readonly storage: Storage;
  readonly service: Service;
}

/** Opens the storage and creates the service on it. Closes the storage if that fails. */
async function openService(
  { log, openStorage, create }: ServiceOptions,
  stopping: AbortSignal,
  onGone: (error: Error) => void,
): Promise<OpenService> {
  await using cleanup = new AsyncDisposableStack();
  const storage = await openStorage({ log: (message) => log.info(message), onGone });
  cleanup.defer(storage.stop);
  stopping.throwIfAborted();
  // A start may wait for another program that migrates, or for a database that does not answer.
  const giveUp = () => void storage.stop().catch(() => {});
  stopping.addEventListener('abort', giveUp);
  try {
    const service = await create(storage);
    cleanup.move();
    return { storage, service };
  } finally {
    stopping.removeEventListener('abort', giveUp);
  }
}

/** Throws a UserError that names the variable, if another address or port would help. */
function listenAt(listener: RequestListener, address: ListenAddress) {
  const { host, port, hostVariable, portVariable } = address;
  return listen(listener, { port, host }).catch((error: unknown) => {
    if (error instanceof PortTaken)
      throw new UserError(`${error.message}: choose another with ${portVariable}.`);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EACCES')
      throw new UserError(`${portVariable}: this user may not listen on port ${port}.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new UserError(`${hostVariable}: ${host} is not an address of this machine.`);
    throw error;
  });
}
