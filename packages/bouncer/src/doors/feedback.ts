import type { BouncerV1, FeedbackEntry } from '@bellhop/protocol/bouncer';

import type { HandlersOf } from '../app.ts';
import { entriesAfter, type LoggedOutcome, numberEntries } from '../outcomes/feedback-log.ts';

/** The outcomes of the notifications of a chat server. */
export const feedback: HandlersOf<BouncerV1['feedback']> = {
  async list({ params: { after, limit }, server: { server_uuid }, app: { database, now } }) {
    await database.transaction((tx) => numberEntries(tx, server_uuid, now()));
    const found = await entriesAfter(database.kysely, server_uuid, { after, limit: limit + 1 });
    const entries = found.slice(0, limit).map(entryOf);
    return {
      entries,
      next: entries.at(-1)?.number ?? after,
      has_more: found.length > limit,
    };
  },
};

const entryOf = ({
  at,
  token_id,
  reason,
  provider,
  provider_id,
  ...row
}: LoggedOutcome): FeedbackEntry => ({
  number: row.number,
  time: Math.floor(at.getTime() / 1_000),
  realm_uuid: row.realm_uuid,
  push_id: row.push_id,
  device_id: row.device_id,
  outcome: row.outcome,
  ...(token_id === null ? {} : { token_id: token_id.toString('base64') }),
  ...(provider === null ? {} : { provider }),
  ...(reason === null ? {} : { reason }),
  ...(provider_id === null ? {} : { provider_id }),
});
