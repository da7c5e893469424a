import { type AttemptResult, attemptsOf, dead, done, type Job, job, retry } from '@bellhop/jobs';
import { WAIT_NOTICE } from '@bellhop/protocol';

import type { Config } from '../../config.ts';
import type { JobApp } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Tables } from '../../engine/tables.ts';
import type { DeliverySubject } from '../../model/bot-deliveries/delivery-rows.ts';
import { excerptOf } from '../../model/bot-deliveries/excerpt.ts';
import { loadDelivery, type LoadedDelivery, lockDelivery } from '../../model/bots/load-delivery.ts';
import { isNoticeDue, WITH_NOTICE } from '../../model/bots/wait-notice.ts';
import { type Delivery, webhookDelivery } from '../../model/bots/webhook-delivery.ts';
import { claimProbe } from '../../model/bots/webhook-health.ts';
import { requestOf } from '../../model/bots/webhook-request.ts';
import { announceAttempt, recordDelivery } from '../bot-deliveries/record-delivery.ts';
import { callWebhook } from './call-webhook.ts';
import { concludeAttempt, concludeDelivery, markRead, noReply } from './conclude-delivery.ts';
import { dropped, finalEnd, OWNER_CHANGED, type Refusal, retryEnd } from './delivery-end.ts';
import { sendFailureNotice, sendNotice } from './send-as-bot.ts';

/** The time for the database queries before and after the call, in milliseconds. */
const SLACK_MS = 15_000;

/**
 * Delivers a message to a bot's webhook at least once, with the same delivery id in every attempt. The
 * reply is sent in the transaction that ends the job. An endpoint that is unreachable, too slow or
 * asks for a short delay is called again after `webhookRetrySeconds`; within 30 seconds a notice says
 * so. Any other failure ends the delivery with a notice.
 */
export const deliverToWebhook = ({
  webhookRetrySeconds,
  webhookTimeoutMs,
}: Pick<Config, 'webhookRetrySeconds' | 'webhookTimeoutMs'>): Job<Delivery, JobApp> =>
  job<Delivery, JobApp>({
    ...webhookDelivery,
    retry: webhookRetrySeconds,
    timeoutMs: webhookTimeoutMs + SLACK_MS,
    async run(payload, app, attempt): Promise<AttemptResult<Tables>> {
      const delivery = await loadDelivery(app.db.kysely, app, payload);
      if (!delivery) return done();
      const write = writeWith(app, delivery);
      const subject = subjectOf(delivery, attempt.jobId);
      const refusal = await refusalOf(app, delivery);
      if (refusal)
        return dead({
          reason: refusal.reason,
          write: write(async (change, current) => {
            const notice = { delivery: current, now: app.now(), content: refusal.reason };
            await sendFailureNotice(change, notice);
            markRead(change, current);
            await recordDelivery(app, change, { ...dropped(refusal), subject });
          }),
        });
      const { realm, service } = delivery;
      const { watchers } = service;
      await announceAttempt(app, { realm, subject, number: attempt.number, watchers });
      const token = delivery.token();
      const request = requestOf(delivery, token);
      const { result, record } = await callWebhook(app, { service, token, request }, attempt);
      const ended = { result, now: app.now() };
      const attempted = { subject, result, record };
      const conclude = write(async (change, current) => {
        const reply = await concludeDelivery(change, { ...ended, delivery: current });
        await recordDelivery(app, change, finalEnd(attempted, reply));
      });
      if (result.kind === 'silence' || result.kind === 'reply') return done({ write: conclude });
      const { reason } = result;
      if (attempt.isManual)
        return dead({
          reason,
          write: write(async (change, current) => {
            await concludeAttempt(change, { ...ended, delivery: current });
            await recordDelivery(app, change, finalEnd(attempted, noReply));
          }),
        });
      if (result.kind === 'failure' || attempt.isLast) return dead({ reason, write: conclude });
      const { afterSeconds = 0 } = result;
      const waits = await isNoticeDue(app, delivery, { ...attempt, afterSeconds });
      const retries = webhookRetrySeconds.length;
      return retry({
        reason,
        ...(waits ? { detail: WITH_NOTICE } : {}),
        afterSeconds,
        write: write(async (change, current, { delayMs }) => {
          const { now } = ended;
          await concludeAttempt(change, { ...ended, delivery: current });
          if (waits) await sendNotice(change, { delivery: current, now, content: WAIT_NOTICE });
          const next = { retry: attempt.failures + 1, retries, delayMs };
          await recordDelivery(app, change, retryEnd(attempted, next));
        }),
      });
    },
    /** Sends the notices for a job that died outside of an attempt: a lost worker or an internal error. */
    async onDead(tx, { jobId, payload, reason }, app) {
      const last = (await attemptsOf(tx, jobId)).at(-1);
      if (last?.outcome === 'dead') return;
      const delivery = await loadDelivery(tx, app, payload);
      if (!delivery) return;
      app.log.error({ jobId, reason }, 'a webhook delivery was given up');
      const result = {
        kind: 'unavailable',
        fault: 'internal',
        reason: 'The server could not finish the delivery.',
        isBroken: false,
      } as const;
      const subject = subjectOf(delivery, jobId);
      await app.changeIn(tx, delivery.realm, async (change) => {
        const current = await lockDelivery(change.db, delivery);
        const reply = await concludeDelivery(change, { delivery: current, result, now: app.now() });
        await recordDelivery(app, change, finalEnd({ subject, result, record: undefined }, reply));
      });
    },
  });

type Write = NonNullable<AttemptResult<Tables>['write']>;
type Work = (
  change: Change,
  current: LoadedDelivery,
  ending: Parameters<Write>[1],
) => Promise<void>;
/** The writes of an attempt get the delivery as of their transaction: the call may have taken long. */
const writeWith =
  (app: JobApp, delivery: LoadedDelivery) =>
  (work: Work): Write =>
  (tx, ending) =>
    app.changeIn(tx, delivery.realm, async (change) =>
      work(change, await lockDelivery(change.db, delivery), ending),
    );

const subjectOf = (
  { realm, bot, service, message, trigger, owner_id }: LoadedDelivery,
  id: string,
): DeliverySubject => ({
  realm_id: realm.id,
  id,
  bot_id: bot.id,
  service_id: service.id,
  owner_id,
  // A deleted message has no deliveries: this one is kept without it.
  message_id: trigger === 'delete' ? null : message.id,
  trigger,
  excerpt: excerptOf(message.content),
});

/** Why the webhook is not called; undefined if it is. */
async function refusalOf(app: JobApp, delivery: LoadedDelivery): Promise<Refusal | undefined> {
  const { realm, bot, service, conversation, owner_id } = delivery;
  if (bot.bot_owner_id !== owner_id) return OWNER_CHANGED;
  if (service.interface === 2 && !('channel' in conversation))
    return {
      error_code: 'unsupported',
      reason: 'A bot with the Slack-compatible interface does not answer direct messages.',
    };
  if (service.disabled_at === null) return undefined;
  const which = { realm_id: realm.id, id: service.id, now: app.now() };
  const isProbe = await app.change(realm, ({ db }) => claimProbe(db, which));
  return isProbe
    ? undefined
    : {
        error_code: 'disabled',
        reason: 'The bot is disabled because its endpoint failed for too long.',
      };
}
