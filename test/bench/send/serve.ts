/**
 * A child process: the server as it runs in production, with an empty realm of DATABASE_URL. It runs
 * in the checkout that is measured, so it uses as little as possible of what may change between two
 * commits.
 */
import { listen } from '@bellhop/http';
import { migrate, openDatabase } from '@bellhop/postgres';
import { createServer, readConfig } from '@bellhop/server';
import {
  createRealm,
  createUser,
  secretsOf,
  serverMigrations,
  type Tables,
} from '@bellhop/server/provision';
import { pino } from 'pino';

import { BENCH_SECRET } from './bench-secret.ts';

/** The message that the process sends when it listens. */
export interface ServerReady {
  readonly url: string;
  readonly pid: number;
  readonly people: readonly Person[];
}
export interface Person {
  readonly id: number;
  readonly full_name: string;
  readonly email: string;
  readonly api_key: string;
}

const names: string[] = JSON.parse(process.env['BENCH_PEOPLE'] ?? '[]');
const opened = await openDatabase<Tables>(process.env['DATABASE_URL'] ?? '', {
  maxConnections: 16,
});
/** Without the group flush each COMMIT waits for the disk, and what is read is on disk. */
const plain: typeof opened = {
  ...opened,
  transaction: (work, options) => opened.transaction(work, { ...options, groupFlush: false }),
  readDurable: (read) => read(opened.kysely),
};
const db = process.env['BENCH_COMMIT'] === 'plain' ? plain : opened;
await migrate(db, ...serverMigrations);
const config = readConfig({
  BELLHOP_SECRET: BENCH_SECRET,
  BELLHOP_EXTERNAL_URL: 'http://chat.test',
  BELLHOP_RATE_LIMIT_USER: '1000000000/60',
  BELLHOP_RATE_LIMIT_IP: '1000000000/60',
  BELLHOP_WEBHOOK_ALLOW: '127.0.0.0/8',
});
const secrets = secretsOf(config.secret);
/** A further node serves the realm that the first one made. */
const isFurther = process.env['BENCH_NODE'] === 'further';
const people = isFurther ? [] : await createPeople();
const server = await createServer({ config, db, log: pino({ level: 'error' }) });
const { url } = await listen(server.listener);
process.send?.({ url, pid: process.pid, people } satisfies ServerReady);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on('disconnect', () => process.exit());

async function createPeople(): Promise<Person[]> {
  return db.transaction(async (tx) => {
    const realm = { subdomain: '', name: 'Bench' };
    const id = await createRealm(tx, { secrets, externalHost: 'chat.test' }, realm);
    const created: Person[] = [];
    for (const [n, full_name] of names.entries()) {
      const email = `person${n}@chat.test`;
      // The first one is the owner.
      const role = n === 0 ? 100 : 400;
      const { user, api_key } = await createUser(
        tx,
        { realm: { id }, secrets },
        { email, full_name, role },
      );
      created.push({ id: user.id, full_name, email, api_key });
    }
    return created;
  });
}
