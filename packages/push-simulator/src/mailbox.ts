import type { DeviceKind } from './device-kind.ts';
import type { Accepted } from './notification.ts';

const fcmLimit = 100;
const fcmCollapseKeys = 4;

/**
 * What a provider keeps for an offline phone. Apple keeps the newest notification. Google keeps 100
 * without a collapse key and discards all of them at the next one; of each collapse key it keeps the
 * newest, for at most four keys.
 */
export const keepWhileOffline: Keep = (waiting, next) =>
  keepRules[next.content.kind](waiting, next);

type Keep = (waiting: readonly Accepted[], next: Accepted) => Accepted[];
const keepRules: Readonly<Record<DeviceKind, Keep>> = {
  apns: (_waiting, next) => [next],
  fcm: keepByCollapseKey,
};

function keepByCollapseKey(waiting: readonly Accepted[], next: Accepted): Accepted[] {
  const key = collapseKeyOf(next);
  if (key === null) {
    const plain = waiting.filter((one) => collapseKeyOf(one) === null);
    return plain.length >= fcmLimit ? [next] : [...waiting, next];
  }
  const others = waiting.filter((one) => collapseKeyOf(one) !== key);
  const collapsible = others.filter((one) => collapseKeyOf(one) !== null);
  const [oldest] = collapsible;
  const room =
    collapsible.length < fcmCollapseKeys ? others : others.filter((one) => one !== oldest);
  return [...room, next];
}

function collapseKeyOf({ content }: Accepted): string | null {
  return 'collapse_key' in content ? content.collapse_key : null;
}
