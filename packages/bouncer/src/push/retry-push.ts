import { dead, done, enqueueAll, job, type Job, type AttemptResult, retry } from '@bellhop/jobs';
import type { Transaction } from '@bellhop/postgres';
import { parseJson, PushRequest, stringifyJson, TokenKind } from '@bellhop/protocol';
import { z } from 'zod';

import type { App } from '../app.ts';
import { byTokenKind } from '../providers/by-token-kind.ts';
import type { NotificationVerdict } from '../providers/provider-verdict.ts';
import type { BouncerTables } from '../tables.ts';
import { attempt } from './attempt.ts';
import { createPush, type Push } from './create-push.ts';
import type { UnfinishedPush } from './deliver.ts';
import { expire, livingDevice, quarantine } from './queries.ts';

const Payload = z.object({
  push_id: z.uuid(),
  realm_uuid: z.uuid(),
  device_id: z.int(),
  /** A PushRequest as JSON text: as a number, `push_account_id` would lose digits. */
  request: z.string(),
  /** Attempts made while the chat server waited. */
  attempts: z.int(),
  /** UNIX milliseconds. */
  give_up_at: z.int(),
});
type Payload = z.output<typeof Payload>;

/** The verdict says when to retry and `give_up_at` when to stop; this only bounds the number. */
const schedule = Array<number>(1_000).fill(1);

/** A job per provider, each in its own lane: an outage of one provider delays no other. */
const jobs = byTokenKind<Readonly<Record<TokenKind, Job<Payload, App>>>>(retryJob);
export const retryJobs = Object.values(jobs);

function retryJob(kind: TokenKind): Job<Payload, App> {
  return job<Payload, App>({
    name: `bouncer.push_${kind}`,
    lane: kind,
    payload: Payload,
    retry: schedule,
    timeoutMs: 20_000,
    async run(payload, app, { failures, signal }) {
      const { realm_uuid, device_id } = payload;
      const device = await livingDevice(app.database.kysely, realm_uuid, device_id);
      if (!device) return done();
      if (app.now() > payload.give_up_at) return giveUp(app, kind, 'too late');
      const request = PushRequest.parse(parseJson(payload.request));
      const push = createPush({ id: payload.push_id, device, request });
      if (!push) return giveUp(app, kind, 'the request is for another kind of device');
      const attempted = attempt(app, push, payload.attempts + failures);
      const verdict = await Promise.race([attempted, interruptedBy(signal)]);
      const isTooLate =
        verdict.kind === 'retry' && app.now() + verdict.after * 1_000 > payload.give_up_at;
      return isTooLate ? giveUp(app, kind, verdict.reason) : resultOf(app, push, verdict);
    },
  });
}

/** Resolves when the bouncer stops or the attempt takes too long: the queue keeps the notification. */
const interruptedBy = (signal: AbortSignal) =>
  new Promise<NotificationVerdict>((resolve) =>
    signal.addEventListener('abort', () =>
      resolve({ kind: 'retry', reason: 'interrupted', after: 1 }),
    ),
  );

function giveUp(app: App, provider: TokenKind, reason: string): AttemptResult<BouncerTables> {
  app.metrics.notifications.inc({ provider, verdict: 'given_up' });
  return dead({ reason });
}

function resultOf(
  app: App,
  { device }: Push,
  verdict: NotificationVerdict,
): AttemptResult<BouncerTables> {
  switch (verdict.kind) {
    case 'accepted':
      return done();
    case 'dead':
      return done({ write: (tx) => expire(tx, [device], new Date(app.now())) });
    case 'quarantined':
      return done({ write: (tx) => quarantine(tx, [device], new Date(app.now())) });
    case 'retry':
      return retry({ reason: verdict.reason, afterSeconds: verdict.after });
    default:
      return dead({ reason: verdict.reason });
  }
}

/** Whether the next attempt comes before `retrySeconds` have passed. */
export const canRetry = (app: App, { waitMs }: UnfinishedPush): boolean =>
  waitMs < app.retrySeconds * 1_000;

/** Retries these in the background until they are accepted or `retrySeconds` have passed. */
export async function retryInBackground(
  app: App,
  tx: Transaction<BouncerTables>,
  results: readonly UnfinishedPush[],
): Promise<void> {
  for (const kind of TokenKind.options) {
    const own = results.filter(({ push }) => push.kind === kind);
    await enqueueAll(
      tx,
      jobs[kind],
      own.map(({ push, waitMs, attempts }) => ({
        payload: {
          push_id: push.id,
          realm_uuid: push.device.realm_uuid,
          device_id: push.device.device_id,
          request: stringifyJson(push.request),
          attempts,
          give_up_at: Math.round(app.now() + app.retrySeconds * 1_000),
        },
        runAt: new Date(app.now() + waitMs),
      })),
    );
  }
}
