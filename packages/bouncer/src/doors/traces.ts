import type { BouncerV1 } from '@bellhop/protocol/bouncer';

import type { HandlersOf } from '../app.ts';
import { readTraces } from '../traces/read-traces.ts';

/** The traces of the pushes of a chat server at the bouncer. */
export const traces: HandlersOf<BouncerV1['traces']> = {
  async list({ params: { cipher_ids }, server: { server_uuid }, app }) {
    await app.traces.flush();
    const { kysely } = app.database;
    const filter = { cipherIds: cipher_ids, serverUuid: server_uuid };
    return { traces: await readTraces(kysely, filter) };
  },
};
