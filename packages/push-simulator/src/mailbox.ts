import type { Accepted } from './notification.ts';

const fcmLimit = 100;
const fcmCollapseKeys = 4;

/**
 * What a provider keeps for a phone that is offline, by the provider's rule: Apple keeps the newest
 * notification only; Google keeps 100 and, once there are more, throws all away, keeps one per
 * collapse key, and four collapse keys.
 */
export function keepWhileOffline(waiting: readonly Accepted[], next: Accepted): Accepted[] {
  if (next.content.kind === 'apns') return [next];
  const key = next.content.collapse_key;
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
  return content.kind === 'fcm' ? content.collapse_key : null;
}
