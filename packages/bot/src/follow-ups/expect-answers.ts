import { BotError } from '../bot-error.ts';
import { type Clock, sleep } from '../clock.ts';
import type { Warn } from '../hooks.ts';
import type { ChannelTopic, FollowUps } from './follow-ups.ts';

/** How long a question waits for the subscription to its topic, in milliseconds. */
const PATIENCE_MS = 2000;

interface ExpectAnswersOptions {
  readonly clock: Clock;
  readonly warn: Warn;
}

/**
 * Subscribes a bot to the topics in which it asks a question, so that answers need no mention.
 * After a failure answers must mention the bot, with a warning; a server that refuses is not asked
 * again.
 */
export function expectAnswers({ clock, warn }: ExpectAnswersOptions) {
  let isRefused = false;
  return async (followUps: FollowUps, topic: ChannelTopic, forMs: number): Promise<void> => {
    if (isRefused) return;
    const late = new AbortController();
    const subscribed = followUps.subscribe(topic, forMs, late.signal).catch((error: unknown) => {
      if (late.signal.aborted) return;
      isRefused = error instanceof BotError && error.code === 'api_rejected';
      warn('follow_ups_missing', 'The bot gets answers in channels only by mentions.', error);
    });
    await Promise.race([subscribed, sleep(clock, PATIENCE_MS)]);
    late.abort();
  };
}
