import { setTimeout as sleep } from 'node:timers/promises';

import { post, type PostResult, signatureHeaders } from '@bellhop/bot-probe/webhooks';

import type { Account } from './account.ts';
import { concludeDelivery } from './conclude-delivery.ts';
import { judgeAnswer, type Verdict } from './judge-answer.ts';
import { renderContent } from './render-content.ts';
import type { StoredMessage } from './stored-message.ts';
import { genericRequest, slackRequest, type WebhookRequest } from './webhook-request.ts';
import type { World } from './world.ts';

/** A message that a bot's webhook was told of. */
export interface Delivery {
  /** The `webhook-id`: the same over all attempts. */
  readonly id: string;
  readonly bot_email: string;
  readonly message_id: number;
  readonly trigger: 'direct_message' | 'mention';
  readonly body: string;
  readonly attempts: readonly Attempt[];
  readonly outcome: 'running' | 'replied' | 'silent' | 'failed' | 'unavailable' | 'cut off';
}
export interface Attempt {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly result: PostResult;
}

interface Running extends Delivery {
  /** Undefined for what its interface has no form for. */
  readonly request: WebhookRequest | undefined;
  readonly bot: Account;
  readonly message: StoredMessage;
  readonly attempts: Attempt[];
  outcome: Delivery['outcome'];
}

export interface WebhookRules {
  /** From the request to the last byte of the answer. */
  readonly timeoutMs: number;
  /** How long to wait before each further attempt after a time-out or a lost connection. */
  readonly retryMs: readonly number[];
}

export interface Webhooks {
  readonly deliveries: readonly Delivery[];
  /** Tells the bots that a message concerns. */
  readonly trigger: (message: StoredMessage) => void;
  /** Resolves when no delivery is running any more. */
  readonly settled: () => Promise<void>;
  /** Posts a message once more; the answers are returned and not said. */
  readonly redeliver: (message_id: number) => Promise<PostResult[]>;
  readonly stop: () => Promise<void>;
}

export function webhooks(
  world: World,
  { timeoutMs, retryMs }: WebhookRules,
  onChange: () => void,
): Webhooks {
  const deliveries: Running[] = [];
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function attempt(
    delivery: Running,
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

  async function deliver(delivery: Running): Promise<void> {
    const { request, bot } = delivery;
    if (!request) {
      delivery.outcome = 'failed';
      return concludeDelivery(world, { ...delivery, verdict: noForm });
    }
    for (let tried = 0; ; tried++) {
      const posted = await attempt(delivery, request);
      if (signal.aborted) return void (delivery.outcome = 'cut off');
      const verdict = judgeAnswer(posted, { isSlack: bot.bot?.interface === 'slack' });
      const wait = retryMs[tried];
      if (verdict.kind === 'unavailable' && wait !== undefined) {
        const ms = Math.max(wait, (verdict.afterSeconds ?? 0) * 1000);
        await sleep(ms, undefined, { signal }).catch(() => {});
        if (signal.aborted) return void (delivery.outcome = 'cut off');
        continue;
      }
      delivery.outcome = outcomes[verdict.kind];
      return concludeDelivery(world, { ...delivery, verdict });
    }
  }

  return {
    deliveries,
    trigger(message) {
      for (const bot of botsConcerned(world, message)) {
        const isSlack = bot.bot?.interface === 'slack';
        const request = (isSlack ? slackRequest : genericRequest)({ bot, message });
        const delivery: Running = {
          id: String(deliveries.length + 1),
          bot,
          bot_email: bot.email,
          message,
          message_id: message.id,
          trigger: 'channel' in message.place ? 'mention' : 'direct_message',
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
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
    async redeliver(message_id) {
      const told = deliveries.filter((delivery) => delivery.message_id === message_id);
      if (told.length === 0) throw new Error(`No bot was told of message ${message_id}.`);
      return Promise.all(
        told.flatMap((delivery) => (delivery.request ? [attempt(delivery, delivery.request)] : [])),
      );
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}

const noForm: Verdict = {
  kind: 'failure',
  reason: 'A bot with the Slack-compatible interface does not answer direct messages.',
  excerpt: '',
  isForSender: true,
};

const outcomes = {
  reply: 'replied',
  silence: 'silent',
  failure: 'failed',
  unavailable: 'unavailable',
} as const satisfies Record<Verdict['kind'], Delivery['outcome']>;

/**
 * Of a direct message all bots in it; of a channel message those mentioned by name, subscribed or
 * not. What a bot says concerns none.
 */
function botsConcerned(world: World, { sender, place, content }: StoredMessage): Account[] {
  if (sender.bot) return [];
  const people =
    'people' in place ? place.people : renderContent(content, world.accounts).mentioned;
  return [...people].filter(({ bot }) => bot?.type === 3 && bot.payloadUrl !== undefined);
}
