import type { App, JobApp } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import {
  createdAt,
  type DeliveryEnd,
  type DeliveryRow,
  type DeliverySubject,
  recordEnd,
  RUNNING,
  type WatchedRow,
} from '../../model/bot-deliveries/delivery-rows.ts';
import { presentDelivery } from '../../model/bot-deliveries/present-delivery.ts';
import type { ConsoleWatchers } from '../../model/bots/console-watchers.ts';

/** Records the end of an attempt in the transaction that ends it, and emits it to consoles. */
export async function recordDelivery(
  { deliveryMetrics }: Pick<App, 'deliveryMetrics'>,
  { db, emit }: Pick<Change<'bot_delivery'>, 'db' | 'emit'>,
  end: DeliveryEnd,
): Promise<void> {
  const { status, error_code: fault, record } = end;
  const ms = record?.timing?.total ?? null;
  db.afterCommit(() => deliveryMetrics.ended({ status, fault, ms }));
  const row = await recordEnd(db, end);
  if (row) emitDelivery(emit, 'update', row);
}

/** Emits a delivery to the consoles that show it. */
export function emitDelivery(
  emit: Change<'bot_delivery'>['emit'],
  op: 'add' | 'update',
  { watchers, ...row }: WatchedRow,
): void {
  if (!watchers) return;
  const { owner_id, verdict: others_verdict } = row;
  const delivery = presentDelivery(row, owner_id);
  emit({ type: 'bot_delivery', op, delivery, owner_id, others_verdict }, watchers.ids);
}

interface Start {
  readonly realm: Realm;
  readonly subject: DeliverySubject;
  /** Counts from 1. */
  readonly number: number;
  readonly watchers: ConsoleWatchers | null;
  /** The replay, which was announced when it was requested; undefined for the first delivery. */
  readonly replay?: Pick<DeliveryRow, 'replay_of' | 'replay_id'>;
}

/** Tells the consoles that an attempt begins. Writes nothing if nobody watches. */
export async function announceAttempt(
  app: JobApp,
  { realm, subject, number, watchers, replay }: Start,
): Promise<void> {
  if (!watchers) return;
  const op = number === 1 && !replay ? 'add' : 'update';
  const row = { ...running(subject, number), ...replay, watchers };
  await app.change(realm, async ({ emit }) => emitDelivery(emit, op, row));
}

/** A delivery in an attempt. */
const running = ({ id, ...about }: DeliverySubject, attempt_count: number): DeliveryRow => ({
  ...about,
  id,
  status: 'running',
  created_at: createdAt(id),
  attempt_count,
  next_attempt_at: null,
  duration_ms: null,
  http_status: null,
  error_code: null,
  verdict: RUNNING,
  owner_verdict: null,
  reply_outcome: 'none',
  reply_message_id: null,
  reply_reason: null,
  replay_of: null,
  replay_id: null,
});
