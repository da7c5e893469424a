import { setTimeout as sleep } from 'node:timers/promises';

import { post, type PostResult, signatureHeaders } from '@bellhop/bot-probe/webhooks';
import { deliveryFaults, type WebhookChange, type WebhookPayload } from '@bellhop/protocol';

import type { Account } from './account.ts';
import { concludeDelivery } from './conclude-delivery.ts';
import { renderContent } from './render-content.ts';
import { changeReceivers } from './resources/bot-changes.ts';
import { followersOf } from './resources/bot-topics.ts';
import type { StoredMessage } from './stored-message.ts';
import { genericRequest, slackRequest, type WebhookRequest } from './webhook-request.ts';
import { type WebhookResult, webhookResult } from './webhook-result.ts';
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
    const { request, bot } = delivery;
    if (!request) {
      delivery.outcome = 'failed';
      return concludeDelivery(world, { ...delivery, result: noSlackForm });
    }
    for (let attempts = 0; ; attempts++) {
      const posted = await attempt(delivery, request);
      if (signal.aborted) return void (delivery.outcome = 'cut off');
      const result = webhookResult(posted, { isSlack: bot.bot?.interface === 'slack' });
      const wait = retryMs[attempts];
      if (result.kind === 'unavailable' && wait !== undefined) {
        const ms = Math.max(wait, (result.afterSeconds ?? 0) * 1000);
        await sleep(ms, undefined, { signal }).catch(() => {});
        if (signal.aborted) return void (delivery.outcome = 'cut off');
        continue;
      }
      delivery.outcome = outcomes[result.kind];
      return concludeDelivery(world, { ...delivery, result });
    }
  }

  function start({ bot, trigger, message, change }: Called & Changed): void {
    const isSlack = bot.bot?.interface === 'slack';
    const request = (isSlack ? slackRequest : genericRequest)({ bot, trigger, message, change });
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

const noSlackForm: WebhookResult = {
  kind: 'failure',
  reason: deliveryFaults.unsupported.forConversation({}),
  excerpt: '',
  isForSender: true,
};

const outcomes = {
  reply: 'replied',
  silence: 'silent',
  failure: 'failed',
  unavailable: 'unavailable',
} as const satisfies Record<WebhookResult['kind'], Delivery['outcome']>;

/**
 * The bots with a webhook that take part in a direct message, are mentioned by name in a channel
 * message, subscribed or not, or are subscribed to its topic. None for a message of a bot.
 */
function botsToCall(world: World, { sender, conversation, content }: StoredMessage): Called[] {
  if (sender.bot) return [];
  const called = new Map<Account, Called['trigger']>();
  if ('participants' in conversation)
    for (const bot of conversation.participants) called.set(bot, 'direct_message');
  else {
    const { channel, topic } = conversation;
    for (const bot of followersOf(world, channel, topic)) called.set(bot, 'follow_up');
    for (const bot of renderContent(content, world.accounts).mentioned) called.set(bot, 'mention');
  }
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
