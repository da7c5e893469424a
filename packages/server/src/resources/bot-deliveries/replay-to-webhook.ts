import { type Attempt, type AttemptResult, attemptsOf, dead, done, job } from '@bellhop/jobs';
import type { DeliveryReply } from '@bellhop/protocol';

import type { Config } from '../../config.ts';
import type { JobApp } from '../../engine/app.ts';
import type { Change, Db } from '../../engine/call.ts';
import type { Tables } from '../../engine/tables.ts';
import type { DeliverySubject } from '../../model/bot-deliveries/delivery-rows.ts';
import { type Replay, replayJob } from '../../model/bot-deliveries/replay-job.ts';
import { replayOf } from '../../model/bot-deliveries/replay-rows.ts';
import {
  carriedToken,
  loadDelivery,
  type LoadedDelivery,
  lockDelivery,
} from '../../model/bots/load-delivery.ts';
import * as bots from '../../model/bots/queries.ts';
import { webhookDelivery } from '../../model/bots/webhook-delivery.ts';
import { requestOf, type WebhookRequest } from '../../model/bots/webhook-request.ts';
import { MASK, type WebhookResult } from '../../model/bots/webhook-result.ts';
import * as users from '../../model/users/queries.ts';
import { callWebhook } from '../bots/call-webhook.ts';
import { noReply } from '../bots/conclude-delivery.ts';
import { dropped, finalEnd, OWNER_CHANGED } from '../bots/delivery-end.ts';
import { replyAsBot } from '../bots/send-as-bot.ts';
import { announceAttempt, recordDelivery } from './record-delivery.ts';

/** The time for the database queries before and after the call, in milliseconds. */
const SLACK_MS = 15_000;

/**
 * Sends a replay or a test once, with a signature of its own. It does not count for the health of the
 * endpoint, and no notice of a failure is sent.
 */
export const replayToWebhook = ({ webhookTimeoutMs }: Pick<Config, 'webhookTimeoutMs'>) =>
  job<Replay, JobApp>({
    ...replayJob,
    retry: [],
    timeoutMs: webhookTimeoutMs + SLACK_MS,
    async run(payload, app, attempt): Promise<AttemptResult<Tables>> {
      const loaded = await load(app.db.kysely, app, { ...payload, id: attempt.jobId });
      if (!loaded) return done();
      const { realm, service, subject, token, request, replay } = loaded;
      if (loaded.bot?.bot_owner_id !== subject.owner_id)
        return dead({
          reason: OWNER_CHANGED.reason,
          write: (tx) =>
            app.changeIn(tx, realm, (change) =>
              recordDelivery(app, change, { ...dropped(OWNER_CHANGED), subject }),
            ),
        });
      const { watchers } = service;
      await announceAttempt(app, { realm, subject, number: attempt.number, watchers, replay });
      const { result, record } = await callWebhook(app, { service, token, request }, attempt);
      const write: AttemptResult<Tables>['write'] = (tx) =>
        app.changeIn(tx, realm, async (change) => {
          const reply = await replyOf(change, { app, loaded, result });
          await recordDelivery(app, change, finalEnd({ subject, result, record }, reply));
        });
      return 'reason' in result ? dead({ reason: result.reason, write }) : done({ write });
    },
    /** Records a replay that died outside of an attempt: a lost worker or an internal error. */
    async onDead(tx, { jobId, payload }, app) {
      if ((await attemptsOf(tx, jobId)).at(-1)?.outcome === 'dead') return;
      const loaded = await load(tx, app, { ...payload, id: jobId });
      if (!loaded) return;
      const { realm, subject } = loaded;
      const result = {
        kind: 'unavailable',
        fault: 'internal',
        reason: 'The server could not finish the delivery.',
        isBroken: false,
      } as const;
      const end = finalEnd({ subject, result, record: undefined }, nothing('none'));
      await app.changeIn(tx, realm, (change) => recordDelivery(app, change, end));
    },
  });

type Loaded = NonNullable<Awaited<ReturnType<typeof load>>>;

/**
 * Loads a replay; undefined if it was stopped, or if its bot, its message or itself was deleted.
 */
async function load(
  db: Db,
  app: JobApp,
  { realm_id, service_id, id }: Replay & { id: Attempt['jobId'] },
) {
  const replay = await replayOf(db, { realm_id, id });
  const service = await bots.service(db, realm_id, service_id);
  const realm = await app.realms.byId(realm_id);
  if (!replay || replay.status === 'dropped' || !service || !realm.is_active) return undefined;
  const { message_id, trigger, excerpt, bot_id, owner_id } = replay;
  const delivery =
    message_id === null
      ? undefined
      : await loadDelivery(db, app, {
          realm_id,
          message_id,
          service_id,
          trigger: webhookDelivery.payload.shape.trigger.parse(trigger),
          owner_id,
        });
  const token = carriedToken(service, app);
  const request = requestFor(replay.replay_payload, {
    token,
    delivery,
    interfaceType: service.interface,
  });
  if (!request) return undefined;
  const about = { realm_id, id, bot_id, service_id, owner_id };
  const subject: DeliverySubject = { ...about, message_id, trigger, excerpt };
  const bot = await users.byId(db, realm_id, bot_id);
  return { realm, bot, service, subject, token, request, delivery, replay };
}

interface RequestParts {
  readonly token: string;
  readonly delivery: LoadedDelivery | undefined;
  readonly interfaceType: number;
}

function requestFor(
  text: string | null,
  { token, delivery, interfaceType }: RequestParts,
): WebhookRequest | undefined {
  if (text === null) return delivery && requestOf(delivery, token);
  const contentType =
    interfaceType === 2 ? 'application/x-www-form-urlencoded' : 'application/json';
  return { body: withToken(text, token), contentType };
}

interface Answered {
  readonly app: JobApp;
  readonly loaded: Loaded;
  readonly result: WebhookResult;
}

async function replyOf(
  change: Change,
  { app, loaded: { delivery, replay }, result }: Answered,
): Promise<DeliveryReply> {
  if (result.kind === 'silence') return nothing('silent');
  if (result.kind !== 'reply') return nothing('none');
  if (!replay.sends_reply || !delivery) return nothing('withheld');
  const { content, widget_content } = result;
  const current = await lockDelivery(change.db, delivery);
  return replyAsBot(change, { delivery: current, now: app.now(), content, widget_content });
}

const nothing = (outcome: DeliveryReply['outcome']): DeliveryReply => ({ ...noReply, outcome });

/** A payload with the token in place of its mask, in JSON or in a form. Other masks stay. */
const withToken = (payload: string, token: string): string =>
  payload
    .replace(new RegExp(`("token"\\s*:\\s*")${escaped(MASK)}(")`), `$1${token}$2`)
    .replace(
      new RegExp(`(^|&)(token=)(?:${escaped(MASK)}|${escaped(encodeURIComponent(MASK))})`),
      `$1$2${token}`,
    );

const escaped = (text: string) => text.replaceAll(/[[\]]/g, String.raw`\$&`);
