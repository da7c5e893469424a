import type { Config } from '../../config.ts';
import type { ServerJob } from '../../engine/job.ts';
import { type Replay, replayJob } from '../../model/bot-deliveries/replay-job.ts';
import { replayOf } from '../../model/bot-deliveries/replay-rows.ts';
import { carriedToken, loadDelivery } from '../../model/bots/load-delivery.ts';
import * as bots from '../../model/bots/queries.ts';
import { webhookDelivery } from '../../model/bots/webhook-delivery.ts';
import { requestOf, storedRequest } from '../../model/bots/webhook-request.ts';
import * as users from '../../model/users/queries.ts';
import { webhookJob } from '../webhooks/webhook-job.ts';

/**
 * Sends a replay or a test once, with a signature of its own. It does not count for the health of the
 * endpoint, and no notice of a failure is sent. Nothing is sent if it was stopped, or if its bot, its
 * message or itself was deleted.
 */
export const replayToWebhook = (config: Pick<Config, 'webhookTimeoutMs'>): ServerJob<Replay> =>
  webhookJob(config, {
    definition: replayJob,
    retries: [],
    reports: false,
    async load(db, app, { payload: { realm_id, service_id }, id }) {
      const replay = await replayOf(db, { realm_id, id });
      const service = await bots.service(db, realm_id, service_id);
      const realm = await app.realms.byId(realm_id);
      if (!replay || replay.status === 'dropped' || !service || !realm.is_active) return undefined;
      const { message_id, trigger, excerpt, bot_id, owner_id, replay_payload, sends_reply } =
        replay;
      const about = { realm_id, service_id, owner_id };
      const delivery =
        message_id === null
          ? undefined
          : await loadDelivery(db, app, {
              ...about,
              message_id,
              trigger: webhookDelivery.payload.shape.trigger.parse(trigger),
            });
      const stored =
        replay_payload === null ? undefined : storedRequest(replay_payload, service.interface);
      const request = stored ?? (delivery && requestOf(delivery));
      const bot = await users.byId(db, realm_id, bot_id);
      if (!request || !bot) return undefined;
      return {
        realm,
        subject: { ...about, id, bot_id, message_id, trigger, excerpt },
        service,
        bot_owner_id: bot.bot_owner_id,
        token: () => carriedToken(service, app),
        request,
        delivery,
        replies: sends_reply,
        replay,
      };
    },
  });
