import {
  type AttemptResult,
  dead,
  done,
  enqueueAll,
  job,
  type Job,
  retry,
  runNow,
} from '@bellhop/jobs';
import type { Transaction } from '@bellhop/postgres';
import {
  parseJson,
  type PushOutcome,
  PushRequest,
  stringifyJson,
  TokenKind,
} from '@bellhop/protocol/bouncer';
import { z } from 'zod';

import type { App } from '../app.ts';
import { expire, livingDevice, quarantine } from '../devices/queries.ts';
import { logOutcomes } from '../outcomes/feedback-log.ts';
import { byTokenKind } from '../providers/by-token-kind.ts';
import type { NotificationVerdict } from '../providers/provider-verdict.ts';
import { providers } from '../providers/providers.ts';
import { attempt } from '../send/attempt.ts';
import { createPush, type Push } from '../send/create-push.ts';
import { type FinalResult, giveUpAt, patience, type UnfinishedPush } from '../send/deliver.ts';
import { outcomeOf } from '../send/outcome-of.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { traceEntry } from '../traces/trace-entry.ts';
import { retryJobName } from './retry-job-name.ts';

const Payload = z.object({
  push_id: z.uuid(),
  realm_uuid: z.uuid(),
  /** The chat server that sent it. */
  server_uuid: z.uuid(),
  device_id: z.int(),
  /** A PushRequest as JSON text: as a number, a `push_account_id` would lose digits. */
  request: z.string(),
  /** Attempts made while the chat server waited. */
  attempts: z.int(),
  /** When the bouncer got the notification, UNIX milliseconds. */
  accepted_at: z.int(),
  /** UNIX milliseconds. */
  give_up_at: z.int(),
  /** The expiry in UNIX milliseconds; absent if the request has none. */
  expires_at: z.int().optional(),
  /**
   * The app of the device; '' if it names none. Notifications that wait for an app are found by
   * this field.
   */
  app: z.string(),
  trace_id: z.string().optional(),
});
type Payload = z.output<typeof Payload>;

/** The verdict says when to retry and `give_up_at` when to stop; this only bounds the number. */
const schedule = Array<number>(1_000).fill(1);

/**
 * A job per provider, each in its own lane: an outage of one provider delays no other. Apps share the
 * slots of a lane: one that is refused or slow leaves some to the others.
 */
const jobs = byTokenKind<Readonly<Record<TokenKind, Job<Payload, App, BouncerTables>>>>(retryJob);
export const retryJobs = Object.values(jobs);

function retryJob(kind: TokenKind): Job<Payload, App, BouncerTables> {
  return job<Payload, App, BouncerTables>({
    name: retryJobName(kind),
    lane: kind,
    key: ({ app }) => app,
    sharesSlots: true,
    payload: Payload,
    retry: schedule,
    timeoutMs: 20_000,
    async run(payload, app, { failures, signal }) {
      const { realm_uuid, server_uuid, device_id, push_id: id } = payload;
      const request = PushRequest.parse(parseJson(payload.request));
      const began = app.now();
      let push: Push | undefined;
      const trace = (outcome: PushOutcome) => {
        const times = { stage: 'retry', began, ended: app.now() } as const;
        app.traces.add([traceEntry({ realm_uuid, server_uuid, ...times, request, outcome, push })]);
      };
      const ending = endingOf(app, { payload, began, provider: kind, request }, trace);
      const device = await livingDevice(app.database.kysely, realm_uuid, device_id);
      if (!device) return ending.gone();
      if (app.now() > heldUntil(app, payload)) return ending.givenUp('too late');
      const { expires_at: expiresAt, trace_id } = payload;
      push = createPush({ id, device, request, now: app.now(), expiresAt, trace_id });
      if (!push) return ending.refused('the request is for another kind of device');
      const attempted = attempt(app, push, payload.attempts + failures);
      const verdict = await Promise.race([attempted, interruptedBy(signal)]);
      if (verdict.kind !== 'retry') return ending.final({ ...verdict, push });
      const giveUpAt = verdict.cause ? heldUntil(app, payload) : payload.give_up_at;
      if (app.now() + verdict.after * 1_000 <= giveUpAt) {
        const { reason, after } = verdict;
        const retry_at = Math.floor(app.now() / 1_000 + after);
        trace({ push_id: id, device_id, provider: kind, outcome: 'queued', reason, retry_at });
        return retry({ reason, afterSeconds: after });
      }
      return verdict.cause === 'doubted'
        ? ending.doubted(verdict.reason)
        : ending.givenUp(verdict.reason);
    },
  });
}

/** `give_up_at` of a push that waits for a repair or for proof. */
const heldUntil = (app: App, { accepted_at, give_up_at, expires_at = Infinity }: Payload) =>
  Math.min(Math.max(give_up_at, accepted_at + patience(app, 'broken') * 1_000), expires_at);

/** Resolves when the bouncer stops or the attempt takes too long: the queue keeps the notification. */
const interruptedBy = (signal: AbortSignal) =>
  new Promise<NotificationVerdict>((resolve) =>
    signal.addEventListener('abort', () =>
      resolve({ kind: 'retry', reason: 'interrupted', after: 1 }),
    ),
  );

interface StartedRetry {
  readonly payload: Payload;
  readonly provider: TokenKind;
  readonly request: PushRequest;
  /** UNIX milliseconds. */
  readonly began: number;
}

/** The ways in which a retry ends, each with its entry in the feedback log and its trace. */
function endingOf(
  app: App,
  { payload, began, provider, request: { token_id } }: StartedRetry,
  trace: (outcome: PushOutcome) => void,
) {
  const { push_id, device_id } = payload;
  const named = token_id === undefined ? {} : { token_id };
  /** Traces the outcome at once, since it is true even if the transaction of the end fails. */
  const logged = (outcome: PushOutcome) => {
    trace(outcome);
    return (tx: Transaction<BouncerTables>) =>
      logOutcomes(tx, payload, [outcome], new Date(app.now()));
  };
  const about = { push_id, device_id, provider, ...named };
  const failed = (outcome: PushOutcome): AttemptResult<BouncerTables> =>
    dead({ reason: outcome.reason ?? outcome.outcome, write: logged(outcome) });
  const observe = (verdict: FinalResult['kind'] | 'given_up') =>
    app.metrics.deliverySeconds.observe(
      { provider, verdict },
      Math.max(0, app.now() - payload.accepted_at) / 1_000,
    );
  return {
    gone: () => done<BouncerTables>({ write: logged({ ...about, outcome: 'dead', reason: GONE }) }),
    refused: (reason: string) => failed({ ...about, outcome: 'refused', reason }),
    doubted: (reason: string) => failed({ ...about, outcome: 'quarantined', reason }),
    givenUp(reason: string) {
      app.metrics.notifications.inc({ provider, verdict: 'given_up' });
      observe('given_up');
      return failed({ ...about, outcome: 'given_up', reason });
    },
    final(result: FinalResult): AttemptResult<BouncerTables> {
      const outcome = { ...outcomeOf(app, result), ...named };
      observe(result.kind);
      if (result.kind === 'rejected' || result.kind === 'unconfigured') return failed(outcome);
      const log = logged(outcome);
      return done({
        write: async (tx) => {
          const at = new Date(app.now());
          if (result.kind === 'dead') await expire(tx, [result.push.device], { at, sentAt: began });
          if (result.kind === 'quarantined') {
            const isMismatched = result.isMismatch === true;
            await quarantine(tx, [result.push.device], { at, isMismatched });
          }
          await log(tx);
        },
      });
    },
  };
}

const GONE = 'the device was deleted, or found dead, while the notification waited';

/** Tries the waiting notifications for an app now; without an app, for all apps of the provider. */
export const wakeRetries = (
  database: App['database'],
  {
    kind,
    app,
    at,
  }: { readonly kind: TokenKind; readonly app: string | undefined; readonly at: Date },
): Promise<void> =>
  database.transaction((tx) =>
    runNow(tx, jobs[kind], { at, payload: app === undefined ? {} : { app } }),
  );

interface UnfinishedRequest {
  readonly server_uuid: string;
  /** UNIX milliseconds. */
  readonly acceptedAt: number;
  readonly results: readonly UnfinishedPush[];
}

/**
 * Retries these notifications in the background until they are accepted or `retrySeconds` have
 * passed.
 */
export async function retryInBackground(
  app: App,
  tx: Transaction<BouncerTables>,
  { server_uuid, acceptedAt, results }: UnfinishedRequest,
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
          server_uuid,
          device_id: push.device.device_id,
          request: stringifyJson(push.request),
          attempts,
          app: providers[kind].appOf(push.device) ?? '',
          accepted_at: Math.round(acceptedAt),
          give_up_at: Math.round(giveUpAt(app, push)),
          ...(push.trace_id === undefined ? {} : { trace_id: push.trace_id }),
          ...(push.expiresAt === undefined ? {} : { expires_at: Math.round(push.expiresAt) }),
        },
        runAt: new Date(app.now() + waitMs),
      })),
    );
  }
}
