import { setTimeout as sleep } from 'node:timers/promises';

import { post, type PostResult, signatureHeaders } from '@bellhop/bot-probe/webhooks';
import {
  calledBots,
  type DeliveryResult,
  droppedNotice,
  isWaitNoticeDue,
  WAIT_NOTICE,
  type WebhookChange,
  type WebhookPayload,
} from '@bellhop/protocol';

import type { Account } from './account.ts';
import { concludeDelivery, markRead, sendNotice } from './conclude-delivery.ts';
import { renderContent } from './render-content.ts';
import { changeReceivers } from './resources/bot-changes.ts';
import { followersOf } from './resources/bot-topics.ts';
import type { StoredMessage } from './stored-message.ts';
import { webhookRequest, type WebhookRequest } from './webhook-request.ts';
import { webhookResult } from './webhook-result.ts';
import type { ChangedMessage, World } from './world.ts';

/** The delivery of a message to a bot's webhook. */
export interface Delivery {
  /** The `webhook-id`, the same in all attempts. */
  readonly id: string;
  readonly botEmail: string;
  readonly messageId: number;
  readonly trigger: WebhookPayload['trigger'];
  readonly body: string;
  readonly attempts: readonly Attempt[];
  readonly outcome: 'running' | 'replied' | 'silent' | 'failed' | 'unavailable' | 'cut off';
}
export interface Attempt {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly result: PostResult;
}

interface DeliveryState extends Delivery {
  /** Undefined for a direct message to a bot with the Slack-compatible interface. */
  readonly request: WebhookRequest | undefined;
  readonly bot: Account;
  readonly message: StoredMessage;
  readonly attempts: Attempt[];
  outcome: Delivery['outcome'];
}

export interface WebhookRules {
  /** The time from the request to the last byte of the response. */
  readonly timeoutMs: number;
  /** The delays before further attempts after a time-out or a lost connection. */
  readonly retryMs: readonly number[];
}

export interface Webhooks {
  readonly deliveries: readonly Delivery[];
  /** Delivers a message to the bots that it mentions or that receive it as a direct message. */
  readonly trigger: (message: StoredMessage) => void;
  /** Delivers a user's change to a message to the bots that ask for it. */
  readonly triggerChange: (change: ChangedMessage) => void;
  /** Resolves when no delivery is running. */
  readonly settled: () => Promise<void>;
  /** Posts a message once more and returns the answers without sending them as replies. */
  readonly redeliver: (messageId: number) => Promise<PostResult[]>;
  readonly stop: () => Promise<void>;
}

export function webhooks(
  world: World,
  { timeoutMs, retryMs }: WebhookRules,
  onChange: () => void,
): Webhooks {
  const deliveries: DeliveryState[] = [];
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function attempt(
    delivery: DeliveryState,
    { body, contentType }: WebhookRequest,
  ): Promise<PostResult> {
    const { bot, id, attempts } = delivery;
    const { token = '', payloadUrl: url = '' } = bot.bot ?? {};
    const headers = {
      'content-type': contentType,
      'user-agent': 'BellhopOutgoingWebhook/fake',
      ...signatureHeaders(token, { id, timestamp: world.now(), body }),
      'webhook-attempt': String(attempts.length + 1),
    };
    const result = await post(url, { headers, body, timeoutMs, signal });
    attempts.push({ url, headers, result });
    onChange();
    return result;
  }

  async function deliver(delivery: DeliveryState): Promise<void> {
    const { request, bot, message } = delivery;
    if (!request) {
      delivery.outcome = 'failed';
      sendNotice(world, delivery, droppedNotice('unsupported'));
      return markRead(delivery);
    }
    const interfaceType = bot.bot?.interface === 'slack' ? 2 : 1;
    let isWaitTold = false;
    for (const wait of [...retryMs, undefined]) {
      const posted = await attempt(delivery, request);
      const { token = '' } = bot.bot ?? {};
      const read = { interfaceType, token, nowMs: world.now() * 1000 };
      const result = signal.aborted ? undefined : webhookResult(posted, read);
      if (!result) break;
      if (result.kind !== 'fault' || !result.again || wait === undefined) {
        delivery.outcome = outcomeOf(result);
        return concludeDelivery(world, delivery, result);
      }
      const ms = Math.max(wait, (result.afterSeconds ?? 0) * 1000);
      const nextEndAt = world.now() + (ms + timeoutMs) / 1000;
      if (!isWaitTold && isWaitNoticeDue({ sentAt: message.timestamp, nextEndAt })) {
        isWaitTold = true;
        sendNotice(world, delivery, WAIT_NOTICE);
      }
      await sleep(ms, undefined, { signal }).catch(() => {});
      if (signal.aborted) break;
    }
    delivery.outcome = 'cut off';
  }

  function start({ bot, trigger, message, change }: Called & Changed): void {
    const request = webhookRequest({ bot, trigger, message, change });
    const delivery: DeliveryState = {
      id: String(deliveries.length + 1),
      bot,
      botEmail: bot.email,
      message,
      messageId: message.id,
      trigger,
      request,
      body: request?.body ?? '',
      attempts: [],
      outcome: 'running',
    };
    deliveries.push(delivery);
    const run: Promise<void> = deliver(delivery).finally(() => {
      running.delete(run);
      onChange();
    });
    running.add(run);
  }

  return {
    deliveries,
    trigger(message) {
      for (const { bot, trigger } of botsToCall(world, message)) start({ bot, trigger, message });
    },
    triggerChange({ message, user, kind, details }) {
      if (user.bot) return;
      const { user_id, email, full_name } = user;
      const by = kind === 'delete' ? {} : { user: { user_id, email, full_name } };
      for (const bot of changeReceivers(world, message, kind).filter(isCallable)) {
        const change = { id: `change-${deliveries.length + 1}`, ...details, ...by };
        if (bot.bot?.interface === 'generic') start({ bot, trigger: kind, message, change });
      }
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
    async redeliver(messageId) {
      const delivered = deliveries.filter((delivery) => delivery.messageId === messageId);
      if (delivered.length === 0)
        throw new Error(`Message ${messageId} was not delivered to a bot.`);
      return Promise.all(
        delivered.flatMap((delivery) =>
          delivery.request ? [attempt(delivery, delivery.request)] : [],
        ),
      );
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}

const outcomeOf = (result: DeliveryResult): Delivery['outcome'] => {
  if (result.kind === 'fault') return result.again ? 'unavailable' : 'failed';
  return result.kind === 'reply' ? 'replied' : 'silent';
};

/** The bots with a webhook that a message calls. */
function botsToCall(world: World, { sender, conversation, content }: StoredMessage): Called[] {
  const inChannel = 'channel' in conversation;
  const called = calledBots({
    isFromBot: sender.bot !== undefined,
    participants: inChannel ? undefined : conversation.participants,
    mentioned: inChannel ? [...renderContent(content, world.accounts).mentioned] : [],
    followers: inChannel ? followersOf(world, conversation.channel, conversation.topic) : [],
  });
  return Array.from(called, ([bot, trigger]) => ({ bot, trigger })).filter(({ bot }) =>
    isCallable(bot),
  );
}

const isCallable = ({ bot }: Account): boolean => bot?.type === 3 && bot.payloadUrl !== undefined;

interface Changed {
  readonly message: StoredMessage;
  readonly change?: WebhookChange;
}

interface Called {
  readonly bot: Account;
  readonly trigger: WebhookPayload['trigger'];
}
