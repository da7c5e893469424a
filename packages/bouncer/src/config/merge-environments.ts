import type { SenderConfig } from '../providers/sender-config.ts';

type Apps = readonly string[] | undefined;

/** Whether two entries serve the same apps. An entry without a list serves all apps that no entry lists. */
export const isSameApps = (one: Apps, other: Apps): boolean =>
  one === undefined || other === undefined
    ? one === other
    : one.length === other.length && one.every((app) => other.includes(app));

/**
 * Makes one sender of the entries that serve the same apps in different environments, each with a key for
 * one of them: a phone is then tried in both.
 */
export function mergeEnvironments(
  senders: readonly SenderConfig<'apns'>[],
): readonly SenderConfig<'apns'>[] {
  const merged: SenderConfig<'apns'>[] = [];
  for (const sender of senders) {
    const at = merged.findIndex(({ apps }) => isSameApps(apps, sender.apps));
    const first = merged[at];
    if (first)
      merged[at] = {
        ...first,
        name: `${first.name} + ${sender.name}`,
        environments: [...first.environments, ...sender.environments],
      };
    else merged.push(sender);
  }
  return merged;
}
