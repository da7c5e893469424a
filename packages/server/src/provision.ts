import { jobsMigrations } from '@bellhop/jobs';
import type { Database, Migrations } from '@bellhop/postgres';

import type { Tables } from './tables.ts';

export { createChannel, type NewChannel } from './resources/channels/create-channel.ts';
export { subscribeUsers } from './resources/channels/subscribe-users.ts';
export { createBot, type CreatedBot, type NewBot } from './resources/bots/create-bot.ts';
export { createRealm } from './resources/realms/create-realm.ts';
export { createUser } from './resources/users/create-user.ts';
export { newSecret, secretsOf } from './engine/secrets.ts';

/** The tables the server keeps, for `migrate()`. */
export const serverMigrations: Migrations[] = [
  jobsMigrations,
  { package: 'server', directory: new URL('../migrations/', import.meta.url) },
];
export type { Database, Tables };
