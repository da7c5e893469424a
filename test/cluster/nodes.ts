import { setTimeout as sleep } from 'node:timers/promises';

import { type Program, startProgram } from '../support/program.ts';
import { type Link, startLink } from './link.ts';

/** A chat server or a bouncer that is started again whenever it ends, as a supervisor does. */
export interface Node extends AsyncDisposable {
  readonly name: string;
  /** The way to it, and the one from it to the database. */
  readonly inbound: Link;
  readonly outbound: Link;
  readonly isReady: () => Promise<boolean>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Ends it with a signal; it is started again with a clock that is wrong by so many seconds. */
  readonly restart: (signal: NodeJS.Signals, clockSeconds?: number) => Promise<void>;
  /** What its last process wrote. */
  readonly output: () => string;
}

interface NodeOptions {
  readonly name: string;
  /** The arguments of `bellhop`. */
  readonly args: readonly string[];
  /** Its environment, with a database at this port. */
  readonly env: (databasePort: number) => Readonly<Record<string, string>>;
  /** It listens here; others reach it by the link. */
  readonly port: number;
  readonly inbound: Link;
  /** Leads to the primary. */
  readonly databasePort: number;
}

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const SUPERVISOR_MS = 1000;

export async function startNode(options: NodeOptions): Promise<Node> {
  const { name, args, env, port, inbound } = options;
  const outbound = await startLink(options.databasePort);
  let isStopped = false;
  let clock = 0;
  const begin = async (): Promise<Program> => {
    const started = await startProgram(args, {
      ready: /"msg":"(listening|the start waits for the database)"/,
      env: {
        ...env(outbound.port),
        ...(clock === 0
          ? {}
          : {
              LD_PRELOAD: FAKETIME,
              FAKETIME: `${clock > 0 ? '+' : ''}${clock}`,
              FAKETIME_DONT_FAKE_MONOTONIC: '1',
            }),
      },
    });
    started.child.once('exit', () => void again());
    return started;
  };
  const again = async () => {
    while (!isStopped) {
      await sleep(SUPERVISOR_MS);
      if (isStopped) return;
      try {
        program = await begin();
        return;
      } catch {
        // It ended before it was ready.
      }
    }
  };
  let program = await begin();
  return {
    name,
    inbound,
    outbound,
    isReady: async () => {
      const asked = fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(3000) });
      return (await asked.catch(() => undefined))?.status === 200;
    },
    signal: (signal) => void program.child.kill(signal),
    restart: async (signal, clockSeconds = 0) => {
      clock = clockSeconds;
      await program.signal(signal);
    },
    output: () => program.output(),
    [Symbol.asyncDispose]: async () => {
      isStopped = true;
      program.child.kill('SIGCONT');
      await program[Symbol.asyncDispose]();
      await outbound[Symbol.asyncDispose]();
    },
  };
}
