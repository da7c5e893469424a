import type { Config } from '../../config.ts';
import type { ServerJob } from '../../engine/job.ts';
import { excerptOf } from '../../model/bot-deliveries/excerpt.ts';
import { loadDelivery } from '../../model/bots/load-delivery.ts';
import { type Delivery, webhookDelivery } from '../../model/bots/webhook-delivery.ts';
import { requestOf } from '../../model/bots/webhook-request.ts';
import { webhookJob } from './webhook-job.ts';

/**
 * Delivers a message to a bot's webhook. An endpoint that is unreachable, too slow or asks for a short
 * delay is called again after `webhookRetrySeconds`; within 30 seconds a notice says so. Any other
 * failure ends the delivery with a notice.
 */
export const deliverToWebhook = (
  config: Pick<Config, 'webhookRetrySeconds' | 'webhookTimeoutMs'>,
): ServerJob<Delivery> =>
  webhookJob(config, {
    definition: webhookDelivery,
    retries: config.webhookRetrySeconds,
    reports: true,
    async load(db, app, { payload, id }) {
      const delivery = await loadDelivery(db, app, payload);
      if (!delivery) return undefined;
      const { realm, bot, service, token, message, trigger, owner_id } = delivery;
      const subject = {
        realm_id: realm.id,
        id,
        bot_id: bot.id,
        service_id: service.id,
        owner_id,
        message_id: trigger === 'delete' ? null : message.id,
        trigger,
        excerpt: excerptOf(message.content),
      };
      const { bot_owner_id } = bot;
      const request = requestOf(delivery);
      return { realm, subject, service, bot_owner_id, token, request, delivery, replies: true };
    },
  });
