import { type AttemptResult, attemptsOf, dead, done, retry } from '@bellhop/jobs';
import { type DeliveryFault, droppedNotice, failedCall, WAIT_NOTICE } from '@bellhop/protocol';
import type { ZodType } from 'zod';

import type { Config } from '../../config.ts';
import type { JobApp } from '../../engine/app.ts';
import type { Change, Db, Tx } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { job, type ServerJob } from '../../engine/job.ts';
import type { Tables } from '../../engine/tables.ts';
import type { DeliveryRow, DeliverySubject } from '../../model/bot-deliveries/delivery-rows.ts';
import { type LoadedDelivery, lockDelivery } from '../../model/bots/load-delivery.ts';
import { isNoticeDue, WITH_NOTICE } from '../../model/bots/wait-notice.ts';
import { claimProbe } from '../../model/bots/webhook-health.ts';
import type { WebhookRequest } from '../../model/bots/webhook-request.ts';
import { callWebhook } from './call-webhook.ts';
import { concludeAttempt, concludeDelivery, markRead } from './conclude-delivery.ts';
import { dropped, finalEnd, retryEnd } from './delivery-end.ts';
import { announceAttempt, recordDelivery } from './record-delivery.ts';
import { sendNotice } from './send-as-bot.ts';

/** What a webhook is sent, and about what. */
export interface WebhookErrand {
  readonly realm: Realm;
  readonly subject: DeliverySubject;
  readonly service: LoadedDelivery['service'];
  /** Who owns the bot now. */
  readonly bot_owner_id: DeliverySubject['owner_id'];
  /** The token that deliveries carry now. Throws if the server's secret has changed. */
  readonly token: () => string;
  readonly request: WebhookRequest;
  /** Undefined for a test: nobody has sent its message. */
  readonly delivery: LoadedDelivery | undefined;
  /** Whether a reply is sent to the conversation. */
  readonly replies: boolean;
  /** The replay, which was announced when it was requested; undefined for the first delivery. */
  readonly replay?: Pick<DeliveryRow, 'replay_of' | 'replay_id'>;
}

interface WebhookJobOptions<Payload> {
  /** The job without its work. */
  readonly definition: {
    readonly name: string;
    readonly lane: string;
    readonly payload: ZodType<Payload>;
    readonly key: (payload: Payload) => string;
  };
  /** Seconds before each retry. */
  readonly retries: readonly number[];
  /**
   * Whether an attempt counts for the health of the endpoint, and a failure is told in the conversation
   * and to the owner.
   */
  readonly reports: boolean;
  /** Undefined if there is nothing to send any more. */
  readonly load: (
    db: Db,
    app: JobApp,
    wanted: { readonly payload: Payload; readonly id: string },
  ) => Promise<WebhookErrand | undefined>;
}

/** The time for the database queries before and after the call, in milliseconds. */
const SLACK_MS = 15_000;

/**
 * Calls a webhook at least once, with the same delivery id in every attempt. The reply is sent in the
 * transaction that ends the job. After a fault that may pass it is called again, as `deliveryFaults`
 * says; any other ends the delivery.
 */
export const webhookJob = <Payload>(
  { webhookTimeoutMs }: Pick<Config, 'webhookTimeoutMs'>,
  { definition, retries, reports, load }: WebhookJobOptions<Payload>,
): ServerJob<Payload> =>
  job<Payload>({
    ...definition,
    retry: retries,
    timeoutMs: webhookTimeoutMs + SLACK_MS,
    async run(payload, app, attempt): Promise<AttemptResult<Tables>> {
      const { jobId: id, number, isManual, isLast } = attempt;
      const errand = await load(app.db.kysely, app, { payload, id });
      if (!errand) return done();
      const { realm, service, subject, delivery, replay } = errand;
      const { watchers } = service;
      const write = writeWith(app, errand);
      const refusal = await refusalOf(app, errand, reports);
      if (refusal) {
        const drop = write(async (change, current) => {
          if (current && reports) {
            const content = droppedNotice(refusal);
            await sendNotice(change, { delivery: current, now: app.now(), content });
            markRead(change, current);
          }
          await recordDelivery(app, change, { ...dropped(refusal), subject });
        });
        return dead({ reason: failedCall(refusal).reason, write: drop });
      }
      await announceAttempt(app, { realm, subject, number, watchers, ...(replay && { replay }) });
      const { result, record } = await callWebhook(app, errand, attempt);
      const attempted = { subject, result, record };
      const ended = { result, now: app.now() };
      const isFailed = result.kind === 'fault';
      const conclude = write(async (change, delivered) => {
        const reply = await concludeDelivery(
          change,
          { ...ended, delivery: delivered },
          { counts: reports, tells: reports && !(isFailed && isManual), replies: errand.replies },
        );
        await recordDelivery(app, change, finalEnd(attempted, reply));
      });
      if (!isFailed) return done({ write: conclude });
      const { reason, again, afterSeconds = 0 } = result;
      if (!delivery || !again || isLast || isManual) return dead({ reason, write: conclude });
      const waits = await isNoticeDue(app, delivery, { ...attempt, afterSeconds });
      return retry({
        reason,
        ...(waits ? { detail: WITH_NOTICE } : {}),
        afterSeconds,
        write: write(async (change, current, { delayMs }) => {
          if (current) {
            await concludeAttempt(change, { ...ended, delivery: current });
            const notice = { delivery: current, now: ended.now, content: WAIT_NOTICE };
            if (waits) await sendNotice(change, notice);
          }
          const next = { retry: attempt.failures + 1, retries: retries.length, delayMs };
          await recordDelivery(app, change, retryEnd(attempted, next));
        }),
      });
    },
    /** Ends a delivery whose job died outside of an attempt: a lost worker or an internal error. */
    async onDead(tx, { jobId, payload, reason }, app) {
      if ((await attemptsOf(tx, jobId)).at(-1)?.outcome === 'dead') return;
      const errand = await load(tx, app, { payload, id: jobId });
      if (!errand) return;
      app.log.error({ jobId, reason }, 'a webhook delivery was given up');
      const { realm, subject } = errand;
      const result = { ...failedCall('internal'), again: true };
      await app.changeIn(tx, realm, async (change) => {
        const current = await lockErrand(change.db, errand);
        const reply = await concludeDelivery(
          change,
          { delivery: current, result, now: app.now() },
          { counts: reports, tells: reports, replies: false },
        );
        await recordDelivery(app, change, finalEnd({ subject, result, record: undefined }, reply));
      });
    },
  });

type Write = NonNullable<AttemptResult<Tables>['write']>;
type Work = (
  change: Change,
  current: LoadedDelivery | undefined,
  ending: Parameters<Write>[1],
) => Promise<void>;

/** The writes of an attempt get the delivery as of their transaction: the call may have taken long. */
const writeWith =
  (app: JobApp, errand: WebhookErrand) =>
  (work: Work): Write =>
  (tx, ending) =>
    app.changeIn(tx, errand.realm, async (change) =>
      work(change, await lockErrand(change.db, errand), ending),
    );

const lockErrand = async (tx: Tx, { delivery }: WebhookErrand) =>
  delivery && (await lockDelivery(tx, delivery));

/** Why the webhook is not called; undefined if it is. What is sent on demand is sent to any webhook. */
async function refusalOf(
  app: JobApp,
  { realm, service, subject, bot_owner_id, delivery }: WebhookErrand,
  reports: boolean,
): Promise<DeliveryFault | undefined> {
  if (bot_owner_id !== subject.owner_id) return 'owner_changed';
  if (!reports || !delivery) return undefined;
  if (service.interface === 2 && !('channel' in delivery.conversation)) return 'unsupported';
  if (service.disabled_at === null) return undefined;
  const which = { realm_id: realm.id, id: service.id, now: app.now() };
  const isProbe = await app.change(realm, ({ db }) => claimProbe(db, which));
  return isProbe ? undefined : 'disabled';
}
