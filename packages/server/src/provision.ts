import { jobsMigrations } from '@bellhop/jobs';
import type { Database, Migrations } from '@bellhop/postgres';

import type { Tables } from './tables.ts';

export { createChannel, type NewChannel } from './resources/channels/create-channel.ts';
export { subscribeUsers } from './resources/channels/subscribe-users.ts';
