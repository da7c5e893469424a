import { randomUUID, timingSafeEqual } from 'node:crypto';

import { badRequest } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { presentToConsoles } from '../../engine/stored-event.ts';
import { watchedBot } from '../../model/bot-deliveries/access.ts';
import * as rows from '../../model/bot-deliveries/delivery-rows.ts';
import { endpointState } from '../../model/bot-deliveries/endpoint-state.ts';
import { listDeliveries } from '../../model/bot-deliveries/list-deliveries.ts';
import {
  presentDelivery,
  presentDeliveryEvent,
} from '../../model/bot-deliveries/present-delivery.ts';
import { replayJob } from '../../model/bot-deliveries/replay-job.ts';
import * as replays from '../../model/bot-deliveries/replay-rows.ts';
import { testPayload } from '../../model/bot-deliveries/test-payload.ts';
import * as bots from '../../model/bots/queries.ts';
import { emitDelivery } from '../webhooks/record-delivery.ts';
import { deliveryDetails } from './delivery-details.ts';
import { replayToWebhook } from './replay-to-webhook.ts';
import { startReplay } from './start-replay.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

const handlers: Handlers<'botDeliveries'> = {
  async list({ actor, user, params: { bot_id, ...wanted }, db }) {
    const watched = await watchedBot(db, actor, { bot_id });
    // One row more than requested shows whether there is another page.
    const found = await listDeliveries(db, watched, { ...wanted, limit: wanted.limit + 1 });
    const deliveries = found.slice(0, wanted.limit).map((row) => presentDelivery(row, user.id));
    const last = found.length > wanted.limit ? deliveries.at(-1) : undefined;
    return { deliveries, next_cursor: last?.id ?? null };
  },

  async get({ actor, params: { bot_id, delivery_id }, db, fail }) {
    const watched = await watchedBot(db, actor, { bot_id });
    const delivery = await deliveryDetails(db, watched, delivery_id);
    return delivery ? { delivery } : fail('NOT_FOUND', NO_DELIVERY);
  },

  async replay({ actor, params, db, emit, enqueue, fail }) {
    const { bot_id, delivery_id, payload, send_reply } = params;
    const watched = await watchedBot(db, actor, { bot_id, ownOnly: true });
    const source = await deliveryDetails(db, watched, delivery_id);
    if (!source) return fail('NOT_FOUND', NO_DELIVERY);
    // Only the owner of a delivery gets the beginning of its message.
    if (source.excerpt === null) throw badRequest(OF_ANOTHER_OWNER);
    const { message_id, trigger } = source;
    const id = await startReplay({ db, emit, enqueue }, watched, {
      message_id,
      trigger,
      replay_of: delivery_id,
      payload: payload ?? source.payload,
      sends_reply: send_reply,
    });
    return { delivery_id: id };
  },

  async replayMany({ actor, user, params, db, emit, enqueueAll }) {
    const { bot_id, limit, send_reply, dry_run, ...filter } = params;
    const watched = await watchedBot(db, actor, { bot_id, ownOnly: true });
    const { bot, service } = watched;
    const { realm_id, bot_owner_id: owner_id } = bot;
    const which = { realm_id, bot_id };
    const found = await rows.page(db, which, {
      ...filter,
      limit,
      reader: user.id,
      ownOnly: true,
      unfinished: [],
    });
    const count = found.length;
    if (dry_run || count === 0) return { count, replay_id: null };
    const replay_id = randomUUID();
    const job = { realm_id, service_id: service.id, owner_id };
    const ids = await enqueueAll(replayJob, Array(count).fill(job) as (typeof job)[]);
    const sources = found.map(({ id }) => id).toReversed();
    await replays.insertReplays(db, {
      realm_id,
      ids,
      sources,
      replay_id,
      sends_reply: send_reply,
    });
    const watchers = (await bots.service(db, realm_id, service.id))?.watchers;
    if (watchers) emit({ type: 'replay', bot_id, replay_id, count }, watchers.ids);
    return { count, replay_id };
  },

  async stopReplay({ actor, realm, params: { bot_id, replay_id }, db, emit }) {
    const { service } = await watchedBot(db, actor, { bot_id, ownOnly: true });
    const dropped = await replays.dropReplays(db, { realm_id: realm.id, bot_id, replay_id });
    const { watchers = null } = (await bots.service(db, realm.id, service.id)) ?? {};
    for (const row of dropped) emitDelivery(emit, 'update', { ...row, watchers });
    return { count: dropped.length };
  },

  async test({ actor, params: { bot_id, payload }, db, emit, enqueue }) {
    const watched = await watchedBot(db, actor, { bot_id, ownOnly: true });
    const { bot, service } = watched;
    if (!bot.is_active) throw badRequest('The bot is deactivated.');
    const id = await startReplay({ db, emit, enqueue }, watched, {
      message_id: null,
      trigger: 'test',
      replay_of: null,
      payload: payload ?? testPayload(service.interface, actor, bot),
      sends_reply: false,
    });
    return { delivery_id: id };
  },

  async endpoint({ actor, realm, params: { bot_id }, db }) {
    const { service } = await watchedBot(db, actor, { bot_id, ownOnly: true });
    const which = { realm_id: realm.id, bot_id };
    return { endpoint: { ...endpointState(service), ...(await rows.durations(db, which)) } };
  },

  async check({ actor, params: { bot_id }, db, app }) {
    const { service } = await watchedBot(db, actor, { bot_id, ownOnly: true });
    return { steps: await app.outbound.check(service.base_url) };
  },

  async verify({ user, realm, params: { token }, db, app }) {
    const service = await bots.serviceOf(db, realm.id, user.id);
    if (!service) throw badRequest('This is not an outgoing webhook bot: it has no token.');
    const { payload_url, state, reason } = endpointState(service);
    return { token: knownToken(app, service, token), endpoint: { payload_url, state, reason } };
  },
};

const OF_ANOTHER_OWNER =
  'Insufficient permission: the delivery was made for an earlier owner of the bot.';
const NO_DELIVERY = 'There is no such delivery: they are kept for some days only.';

type Service = NonNullable<Awaited<ReturnType<typeof bots.serviceOf>>>;

/** Which token of a webhook this is. */
function knownToken(
  { secrets, now }: Pick<App, 'secrets' | 'now'>,
  { token_mac, old_token_sealed, old_token_until }: Service,
  token: string,
): 'current' | 'old' | 'wrong' {
  if (timingSafeEqual(secrets.mac(token), token_mac)) return 'current';
  const isKept = old_token_until !== null && old_token_until.getTime() > now() * 1000;
  const old = isKept && old_token_sealed ? secrets.open(old_token_sealed) : undefined;
  return old !== undefined && timingSafeEqual(secrets.mac(token), secrets.mac(old))
    ? 'old'
    : 'wrong';
}

export const botDeliveries: Resource<'botDeliveries'> = {
  handlers,
  presenters: () => ({
    bot_delivery: presentDeliveryEvent,
    bot_endpoint: presentToConsoles,
    replay: presentToConsoles,
  }),
  jobs: (config) => [replayToWebhook(config), sweepDeliveries(config)],
};
