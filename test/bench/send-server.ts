import { createClient } from '@bellhop/client';
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

// The server as it runs in production, with a channel of three subscribers.
const db = await openDatabase<Tables>(process.env['DATABASE_URL'] ?? '', { maxConnections: 16 });
await migrate(db, ...serverMigrations);
const config = readConfig({
  BELLHOP_SECRET: 'only for measuring, only for measuring',
  BELLHOP_EXTERNAL_URL: 'http://chat.test',
  BELLHOP_RATE_LIMIT_USER: '1000000000/60',
  BELLHOP_RATE_LIMIT_IP: '1000000000/60',
});
const secrets = secretsOf(config.secret);
const people = await db.transaction(async (tx) => {
  const id = await createRealm(
    tx,
    { secrets, externalHost: 'chat.test' },
    { subdomain: '', name: 'Bench' },
  );
  const made = [];
  for (const name of ['one', 'two', 'three'])
    made.push(
      await createUser(
        tx,
        { realm: { id }, secrets },
        { email: `${name}@chat.test`, full_name: name },
      ),
    );
  return made;
});
const server = await createServer({ config, db, log: pino({ level: 'error' }) });
const { url } = await listen(server.listener);
const [sender] = people;
if (!sender) throw new Error('Nobody sends');
const { user, api_key } = sender;
await createClient({ url, email: user.delivery_email, apiKey: api_key }).subscriptions.add({
  subscriptions: [{ name: 'bench' }],
  principals: people.map((person) => person.user.id),
});
const authorization = `Basic ${btoa(`${user.delivery_email}:${api_key}`)}`;
console.log(JSON.stringify({ url, authorization }));
process.on('SIGINT', () => process.exit(0));
