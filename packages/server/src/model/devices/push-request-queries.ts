import { parseJson, type RealmId, stringifyJson } from '@bellhop/protocol';

import type { Db, Tx } from '../../engine/call.ts';
import type { BouncerRequest } from './request-for.ts';
import type { Encryption } from './traces/push-facts.ts';

interface JobKey {
  readonly realm_id: RealmId;
  readonly job_id: string;
}
export interface StoredItem {
  /** The notification in its job. */
  readonly id: string;
  /** The key that it is encrypted for, unless the request names it by a push_key_id. */
  readonly push_public_key?: string;
  readonly request: BouncerRequest;
  readonly encryption: Encryption;
}
/** A request of a job to the bouncer. */
export interface StoredRequest {
  readonly idempotency_key: string;
  readonly items: readonly StoredItem[];
}

/** Stores a request before it is sent. */
export async function add(
  tx: Tx,
  job: JobKey,
  { idempotency_key, items }: StoredRequest,
): Promise<void> {
  await tx
    .insertInto('push_request')
    .values({ ...job, idempotency_key, items: stringifyJson(items) })
    .execute();
}

/** The requests of earlier attempts of a job, in any order. */
export async function ofJob(db: Db, { realm_id, job_id }: JobKey): Promise<StoredRequest[]> {
  const rows = await db
    .selectFrom('push_request')
    .select(['idempotency_key', 'items'])
    .where('realm_id', '=', realm_id)
    .where('job_id', '=', job_id)
    .execute();
  return rows.map(({ idempotency_key, items }) => ({
    idempotency_key,
    items: parseJson(items) as StoredItem[],
  }));
}

/** Deletes the requests of a job that has ended. */
export async function removeOfJob(tx: Tx, { realm_id, job_id }: JobKey): Promise<void> {
  await tx
    .deleteFrom('push_request')
    .where('realm_id', '=', realm_id)
    .where('job_id', '=', job_id)
    .execute();
}
