import { type BouncerTrace, traceOutcomes } from '@bellhop/protocol/bouncer';
import type { Kysely } from 'kysely';

import type { BouncerTables } from '../storage/tables.ts';
import { rowsOf, type TraceRow } from './queries.ts';

/** The traces of the pushes with these ciphertexts, in the order of their arrival. */
export async function readTraces(
  db: Kysely<BouncerTables>,
  filter: Parameters<typeof rowsOf>[1],
): Promise<BouncerTrace[]> {
  const rows = await rowsOf(db, filter);
  const byPush = Map.groupBy(rows, ({ realm_uuid, push_id }) => `${realm_uuid} ${push_id}`);
  return [...byPush.values()].flatMap(traceOf);
}

function traceOf(rows: readonly TraceRow[]): BouncerTrace[] {
  const [first] = rows;
  const last = rows.findLast(({ entry }) => entry.stage.stage !== 'repetition') ?? first;
  if (!first || !last) return [];
  const { cipher_id, push_id, server_uuid, realm_uuid, device_id, entry } = first;
  const { token_id = null, provider, token_hash, priority, expires_ms } = entry;
  const { outcome, reason } = last.entry.stage;
  return [
    {
      cipher_id,
      push_id,
      server_uuid,
      realm_uuid,
      device_id,
      token_id,
      provider,
      token_hash,
      priority,
      expires_ms,
      stages: rows.map(({ entry: { stage } }) => stage),
      outcome,
      explanation: `${traceOutcomes[outcome]}${reason === null ? '' : ` Reason: ${reason}`}`,
    },
  ];
}
