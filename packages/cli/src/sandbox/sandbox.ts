import { defineCommand, untilSignal } from '@bellhop/bot-cli/command-line';
import { refuseSecond } from '@bellhop/bot-cli/sandbox';
import { pino } from 'pino';

import { openLog } from '../service/open-log.ts';
import { portAdvice, portsFrom } from './ports.ts';
import { progressTo } from './progress.ts';
import { welcome } from './welcome.ts';

export const sandbox = defineCommand({
  description: `Starts PostgreSQL, the chat server, the push bouncer, simulated FCM, APNs and Web Push, two
phones and a browser, and the echo bot. Prints addresses, logins and commands to try. Programs read
addresses, logins and keys from .bellhop/sandbox.json.

Environment:
  BELLHOP_PORT       base port, others follow it (default 4600; 0 = any free ports)
  BELLHOP_DATA_DIR   where everything is kept (default .bellhop); remove it to start afresh
  DATABASE_URL       your own PostgreSQL 15 or newer instead of the embedded one
  BELLHOP_LOG_LEVEL  what to log to standard error (default warn)
  BELLHOP_PUBLIC_FEATURE_LEVEL, BELLHOP_PUBLIC_CLIENTS  as of "bellhop server"`,
  async run() {
    const { env } = process;
    return untilSignal({
      onSignal: () => console.log('\nStopping ...'),
      start: async (stopping) => {
        const ports = portsFrom(env['BELLHOP_PORT']);
        const log = openLog(env['BELLHOP_LOG_LEVEL'] ?? 'warn', pino.destination(2));
        const dataDir = env['BELLHOP_DATA_DIR'] || '.bellhop';
        await refuseSecond(dataDir);
        console.log('Starting Bellhop ...');
        const { ignoredVariables, serverVariables } = await import('./sandbox-variables.ts');
        const ignored = ignoredVariables(env);
        if (ignored.length > 0)
          console.log(`The sandbox ignores ${ignored.join(', ')}: it has settings of its own.`);
        const progress = progressTo(console.log, stopping);
        const { startSandbox } = await import('./start-sandbox.ts');
        const started = await startSandbox({
          dataDir,
          ports,
          databaseUrl: env['DATABASE_URL'] || undefined,
          serverEnv: serverVariables(env),
          progress,
          log,
          onDelivery: (line) => console.log(line),
        }).catch((error: unknown) => {
          throw portAdvice(error);
        });
        const { outbox, signInLink } = started;
        const start = {
          dataDir,
          signInLink,
          outbox,
          seconds: progress.seconds(),
        };
        if (!stopping.aborted) console.log(welcome(started.file, start));
        return async () => {
          await started.stop();
          console.log('Stopped.');
        };
      },
    });
  },
});
