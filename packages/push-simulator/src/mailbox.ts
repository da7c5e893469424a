import type { DeviceKind } from './device-kind.ts';
import type { AcceptedNotification } from './notification.ts';

const fcmLimit = 100;
const fcmCollapseKeys = 4;

/**
 * The notifications that a provider keeps for an offline phone. Apple keeps the newest
 * notification. Google keeps 100 without a collapse key and discards all of them at the next one;
 * for each collapse key it keeps the newest, for at most four keys.
 */
export const keepWhileOffline: MailboxRule = (waiting, next) =>
  mailboxRules[next.content.kind](waiting, next);

type MailboxRule = (
  waiting: readonly AcceptedNotification[],
  next: AcceptedNotification,
) => AcceptedNotification[];
const mailboxRules: Readonly<Record<DeviceKind, MailboxRule>> = {
  apns: (_waiting, next) => [next],
  fcm: keepByCollapseKey,
  webpush: keepByTopic,
};

function keepByCollapseKey(
  waiting: readonly AcceptedNotification[],
  next: AcceptedNotification,
): AcceptedNotification[] {
  const key = collapseKeyOf(next);
  if (key === null) {
    const plain = waiting.filter((one) => collapseKeyOf(one) === null);
    return plain.length >= fcmLimit ? [next] : [...waiting, next];
  }
  const others = waiting.filter((one) => collapseKeyOf(one) !== key);
  const collapsible = others.filter((one) => collapseKeyOf(one) !== null);
  const [oldest] = collapsible;
  const kept =
    collapsible.length < fcmCollapseKeys ? others : others.filter((one) => one !== oldest);
  return [...kept, next];
}

/** A push service keeps the newest message of each topic, and all without one. */
function keepByTopic(
  waiting: readonly AcceptedNotification[],
  next: AcceptedNotification,
): AcceptedNotification[] {
  const topic = topicOf(next);
  const others = topic === null ? waiting : waiting.filter((one) => topicOf(one) !== topic);
  return [...others, next];
}

function topicOf({ content }: AcceptedNotification): string | null {
  return content.kind === 'webpush' ? content.topic : null;
}

function collapseKeyOf({ content }: AcceptedNotification): string | null {
  return 'collapse_key' in content ? content.collapse_key : null;
}
