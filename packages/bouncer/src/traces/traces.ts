import type { BouncerV1 } from '@bellhop/protocol';

import type { HandlersOf } from '../app.ts';
import { readTraces } from './read-traces.ts';

/** What the bouncer did for the pushes of a chat server. */
export const traces: HandlersOf<BouncerV1['traces']> = {
  async list({ params: { cipher_ids }, server: { server_uuid }, app }) {
    await app.traces.flush();
    const { kysely } = app.database;
    const filter = { cipherIds: cipher_ids, serverUuid: server_uuid };
    return { traces: await readTraces(kysely, filter) };
  },
};
