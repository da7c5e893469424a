import { attemptsOf, dead, done, type Job, job, type AttemptResult, retry } from '@bellhop/jobs';

import type { Config } from '../../config.ts';
import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Tables } from '../../tables.ts';
import { callWebhook } from './call-webhook.ts';
import { concludeAttempt, concludeDelivery, markRead } from './conclude-delivery.ts';
import { type LoadedDelivery, loadDelivery } from './load-delivery.ts';
import { sendFailureNotice, sendNotice } from './send-as-bot.ts';
import { type Delivery, webhookDelivery } from './trigger-webhooks.ts';
import { isNoticeDue, WAIT_NOTICE, withNotice } from './wait-notice.ts';
import { claimProbe } from './webhook-health.ts';

/** For the database queries before and after the call. */
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
}: Pick<Config, 'webhookRetrySeconds' | 'webhookTimeoutMs'>): Job<Delivery, App> =>
  job<Delivery, App>({
    ...webhookDelivery,
    retry: webhookRetrySeconds,
    timeoutMs: webhookTimeoutMs + SLACK_MS,
    async run(payload, app, attempt): Promise<AttemptResult<Tables>> {
      const delivery = await loadDelivery(app.db.kysely, app, payload);
      if (!delivery) return done();
      const write = writeWith(app, delivery);
      const refusal = await refusalReason(app, delivery);
      if (refusal !== undefined)
        return dead({
          reason: refusal,
          write: write(async (change) => {
            await sendFailureNotice(change, { delivery, now: app.now(), content: refusal });
            markRead(change, delivery);
          }),
        });
      const { result, detail } = await callWebhook(app, delivery, attempt);
      const ended = { delivery, result, now: app.now() };
      if (result.kind === 'silence' || result.kind === 'reply')
        return done({ detail, write: write((change) => concludeDelivery(change, ended)) });
      const { reason } = result;
      if (attempt.isManual)
        return dead({ reason, detail, write: write((change) => concludeAttempt(change, ended)) });
      if (result.kind === 'failure' || attempt.isLast)
        return dead({ reason, detail, write: write((change) => concludeDelivery(change, ended)) });
      const { afterSeconds = 0 } = result;
      const waits = await isNoticeDue(app, delivery, { ...attempt, afterSeconds });
      return retry({
        reason,
        detail: waits ? withNotice(detail) : detail,
        afterSeconds,
        write: write(async (change) => {
          await concludeAttempt(change, ended);
          if (waits) await sendNotice(change, { delivery, now: ended.now, content: WAIT_NOTICE });
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
        reason: 'The server could not finish the delivery.',
        isBroken: false,
      } as const;
      const ended = { delivery, result, now: app.now() };
      await app.changeIn(tx, delivery.realm, (change) => concludeDelivery(change, ended));
    },
  });

const writeWith =
  (app: App, { realm }: LoadedDelivery) =>
  (work: (change: Change) => Promise<void>): NonNullable<AttemptResult<Tables>['write']> =>
  (tx) =>
    app.changeIn(tx, realm, work);

/** The reason why the webhook is not called; undefined if it is. */
async function refusalReason(app: App, delivery: LoadedDelivery): Promise<string | undefined> {
  const { realm, service, conversation } = delivery;
  if (service.interface === 2 && !('channel' in conversation))
    return 'A bot with the Slack-compatible interface does not answer direct messages.';
  if (service.disabled_at === null) return undefined;
  const which = { realm_id: realm.id, id: service.id, now: app.now() };
  const isProbe = await app.change(realm, ({ db }) => claimProbe(db, which));
  return isProbe ? undefined : 'The bot is disabled because its endpoint failed for too long.';
}
