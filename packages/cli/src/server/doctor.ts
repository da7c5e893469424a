import { defineCommand, switchFlag, UserError } from '@bellhop/bot-cli/command-line';
import { diagnose, type Finding, serverMigrations } from '@bellhop/server/provision';

import { printDoctor } from '../service/print-doctor.ts';
import { readEnvironment } from './server-environment.ts';

export const doctor = defineCommand({
  description: `Run it with the environment of the server. It checks the configuration, the public address, the database with its standbys and tables, the secret, the store of files, the mail server, the bouncer and the clocks. It changes nothing, sends no mail, and needs no running server.
Prints what to do about each check that does not pass. Exit code: 0, or 1 if a check failed; warnings do not count.`,
  flags: { json: switchFlag('Print JSON, an object per line') },
  run: async ({ json }) => printDoctor(await check(process.env), { program: 'server', json }),
});

async function check(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  try {
    const config = readEnvironment(env);
    const findings = await diagnose({
      config,
      databaseUrl: env['DATABASE_URL'] || undefined,
      migrations: serverMigrations,
      dataDir: env['BELLHOP_DATA_DIR'] || '.bellhop-server',
    });
    const readable = {
      check: 'configuration',
      state: 'ok',
      detail: 'every variable can be used',
    } as const;
    return [readable, ...findings];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message
      .split('\n')
      .filter((line) => line.startsWith('  '))
      .map((line) => ({
        check: 'configuration',
        state: 'failed',
        detail: line.trim(),
        fix: '"bellhop server run --help" explains every variable.',
      }));
  }
}
