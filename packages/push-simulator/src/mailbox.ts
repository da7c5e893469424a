import type { DeviceKind } from './device-kind.ts';
import type { Accepted } from './notification.ts';

const fcmLimit = 100;
const fcmCollapseKeys = 4;

/**
 * What a provider keeps for a phone that is offline, by the provider's rule: Apple keeps the newest
 * notification only; Google keeps 100 and, once there are more, throws all away, keeps one per
 * collapse key, and four collapse keys.
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
