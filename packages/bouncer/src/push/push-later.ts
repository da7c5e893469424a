import {
  dead,
  done,
  enqueueAll,
  job,
  type Job,
  type Outcome as JobOutcome,
  retry,
} from '@bellhop/jobs';
import type { Transaction } from '@bellhop/postgres';
import { parseJson, PushRequest, stringifyJson, type TokenKind } from '@bellhop/protocol';
import { z } from 'zod';

import type { App } from '../app.ts';
import type { Verdict } from '../providers/verdict.ts';
import type { BouncerTables } from '../tables.ts';
import { attempt, type Push } from './attempt.ts';
import type { Outcome } from './deliver.ts';
import { expire, livingDevice, quarantine } from './queries.ts';

const Payload = z.object({
  push_id: z.uuid(),
  device_id: z.int(),
  /** A PushRequest as JSON text: `push_account_id` does not survive as a number. */
  request: z.string(),
  /** Attempts made while the chat server waited. */
  attempts: z.int(),
  /** UNIX milliseconds. */
  give_up_at: z.int(),
});
type Payload = z.output<typeof Payload>;

/** The verdict says when to try again and `give_up_at` when to stop; this only bounds the number. */
const schedule = Array.from({ length: 100 }, () => 1);

/** A job per provider, each in a lane of its own: trouble at Apple does not hold up Google. */
const jobs: Readonly<Record<TokenKind, Job<Payload, App>>> = {
  apns: pushJob('apns'),
  fcm: pushJob('fcm'),
};
export const pushJobs = Object.values(jobs);

function pushJob(kind: TokenKind): Job<Payload, App> {
  return job<Payload, App>({
    name: `bouncer.push_${kind}`,
    lane: kind,
    payload: Payload,
    retry: schedule,
    timeoutMs: 20_000,
    async run(payload, app, { failures }) {
      const { push_id: id, request } = payload;
      const device = await livingDevice(app.database.kysely, payload.device_id);
      if (!device) return done();
      if (app.now() > payload.give_up_at) return giveUp(app, kind, 'too late');
      const push = { id, device, request: PushRequest.parse(parseJson(request)) };
      const verdict = await attempt(app, push, payload.attempts + failures);
      const hopeless =
        verdict.kind === 'retry' && app.now() + verdict.after * 1_000 > payload.give_up_at;
      return hopeless ? giveUp(app, kind, verdict.reason) : outcomeOf(app, push, verdict);
    },
  });
}

function giveUp(app: App, provider: TokenKind, reason: string): JobOutcome<BouncerTables> {
  app.metrics.notifications.inc({ provider, verdict: 'given_up' });
  return dead({ reason });
}

function outcomeOf(app: App, { device }: Push, verdict: Verdict): JobOutcome<BouncerTables> {
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

/** Goes on with these in the background, until they are accepted or too old to matter. */
export async function pushLater(
  app: App,
  tx: Transaction<BouncerTables>,
  outcomes: readonly Extract<Outcome, { kind: 'later' }>[],
): Promise<void> {
  for (const kind of ['apns', 'fcm'] as const) {
    const mine = outcomes.filter(({ push }) => push.device.token_kind === kind);
    await enqueueAll(
      tx,
      jobs[kind],
      mine.map(({ push, waitMs, attempts }) => ({
        payload: {
          push_id: push.id,
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
