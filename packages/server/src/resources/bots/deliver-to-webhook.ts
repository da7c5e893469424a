import { attemptsOf, dead, done, type Job, job, type AttemptResult, retry } from '@bellhop/jobs';

import type { Config } from '../../config.ts';
import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Tables } from '../../tables.ts';
import { callWebhook } from './call-webhook.ts';
import { concludeAttempt, concludeDelivery, markRead } from './conclude-delivery.ts';
import { type LoadedDelivery, loadDelivery } from './load-delivery.ts';
import { admitFailure } from './speak-as-bot.ts';
import { type Delivery, webhookDelivery } from './trigger-webhooks.ts';
import { claimProbe } from './webhook-health.ts';

/** Beyond the answer itself: reading and writing the database. */
const SLACK_MS = 15_000;

/**
 * Tells a bot's webhook of a message and says what it answers. At least once, with an id that stays
 * the same; the reply is sent in the transaction that ends the job. What is unreachable, too slow or
 * asks for a little patience is tried again for some minutes, as `webhookRetrySeconds` says: later
 * an answer would be noise. Everything else that goes wrong is told at once.
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
      const write = writing(app, delivery);
      const refusal = await refusalOf(app, delivery);
      if (refusal !== undefined)
        return dead({
          reason: refusal,
          write: write(async (change) => {
            await admitFailure(change, { delivery, now: app.now(), content: refusal });
            await markRead(change, delivery);
          }),
        });
      const { verdict, detail } = await callWebhook(app, delivery, attempt);
      const ended = { delivery, verdict, now: app.now() };
      if (verdict.kind === 'silence' || verdict.kind === 'reply')
        return done({ detail, write: write((change) => concludeDelivery(change, ended)) });
      const { reason } = verdict;
      if (attempt.isManual)
        return dead({ reason, detail, write: write((change) => concludeAttempt(change, ended)) });
      if (verdict.kind === 'failure' || attempt.isLast)
        return dead({ reason, detail, write: write((change) => concludeDelivery(change, ended)) });
      const { afterSeconds = 0 } = verdict;
      return retry({
        reason,
        detail,
        afterSeconds,
        write: write((change) => concludeAttempt(change, ended)),
      });
    },
    /** Tells of a death that no attempt could tell of: a worker that died, or a mistake of ours. */
    async onDead(tx, { jobId, payload, reason }, app) {
      const last = (await attemptsOf(tx, jobId)).at(-1);
      if (last?.outcome === 'dead') return;
      const delivery = await loadDelivery(tx, app, payload);
      if (!delivery) return;
      app.log.error({ jobId, reason }, 'a webhook delivery was given up');
      const verdict = {
        kind: 'unavailable',
        reason: 'The server could not finish the delivery.',
        isBroken: false,
      } as const;
      const ended = { delivery, verdict, now: app.now() };
      await app.changeIn(tx, delivery.realm, (change) => concludeDelivery(change, ended));
    },
  });

const writing =
  (app: App, { realm }: LoadedDelivery) =>
  (work: (change: Change) => Promise<void>): NonNullable<AttemptResult<Tables>['write']> =>
  (tx) =>
    app.changeIn(tx, realm, work);

/** Why the webhook is not called at all; undefined if it is. */
async function refusalOf(app: App, delivery: LoadedDelivery): Promise<string | undefined> {
  const { realm, service, conversation } = delivery;
  if (service.interface === 2 && !('channel' in conversation))
    return 'A bot with the Slack-compatible interface does not answer direct messages.';
  if (service.disabled_at === null) return undefined;
  const which = { realm_id: realm.id, id: service.id, now: app.now() };
  const isProbe = await app.change(realm, ({ db }) => claimProbe(db, which));
  return isProbe ? undefined : 'The bot is disabled because its endpoint failed for too long.';
}
