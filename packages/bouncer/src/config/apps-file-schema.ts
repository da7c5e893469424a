import { z } from 'zod';

import { providers } from '../providers/providers.ts';
import { isSameApps } from './merge-environments.ts';

const MAX_SENDERS = 100;
const TOO_MANY = `has more than ${MAX_SENDERS} entries: one entry may list several apps`;

/** The content of BELLHOP_BOUNCER_APPS_FILE. */
export const AppsFile = z
  .strictObject({
    apns: z.array(providers.apns.settings.entry).max(MAX_SENDERS, TOO_MANY).default([]),
    fcm: z.array(providers.fcm.settings.entry).max(MAX_SENDERS, TOO_MANY).default([]),
    // A browser's registration does not say which key it has subscribed with.
    webpush: z
      .array(providers.webpush.settings.entry)
      .max(1, 'has more than one entry: browsers do not say which key they have subscribed with')
      .default([]),
  })
  .superRefine(({ apns, fcm }, context) => {
    const report = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    for (const [kind, entries] of Object.entries({ apns, fcm })) {
      const names = entries.map(({ name }) => name);
      for (const [index, name] of names.entries())
        if (names.indexOf(name) < index)
          report([kind, index], `another entry has the name ${name}: give this one a name`);
    }
    const apnsApps = apns.flatMap(({ apps, environments }) =>
      environments.map((environment) => ({ apps, scope: ` in ${environment}` })),
    );
    const owners = apns.flatMap(({ environments }, index) => environments.map(() => index));
    const apnsClashes = clashes(apnsApps);
    for (const clash of apnsClashes) report(['apns', owners[clash.index] ?? 0], clash.fault);
    if (apnsClashes.length === 0)
      for (const { index, fault } of partlyShared(apns)) report(['apns', index], fault);
    for (const clash of clashes(fcm.map(({ apps }) => ({ apps, scope: '' }))))
      report(['fcm', clash.index], clash.fault);
    const defaults = fcm.flatMap((entry, index) => (entry.isDefault ? [index] : []));
    for (const index of defaults.slice(1))
      report(['fcm', index, 'default'], 'another project is the default');
  });

interface ServedApps {
  readonly apps: readonly string[] | undefined;
  /** The scope of the app: two entries may serve one app in different scopes. */
  readonly scope: string;
}

/** Apps that an earlier entry serves already. */
function clashes(entries: readonly ServedApps[]): { index: number; fault: string }[] {
  const served = new Set<string>();
  return entries.flatMap(({ apps, scope }, index) =>
    (apps ?? ['']).flatMap((app) => {
      const isServed = served.has(`${app}${scope}`);
      served.add(`${app}${scope}`);
      if (!isServed) return [];
      const fault =
        app === ''
          ? `another entry has no apps${scope}: list the apps of one of them`
          : `another entry has the app ${app}${scope}`;
      return [{ index, fault }];
    }),
  );
}

/** Entries with an app of an earlier one, in another environment, that do not list the same apps. */
const partlyShared = (entries: readonly { name: string; apps?: readonly string[] | undefined }[]) =>
  entries.flatMap(({ apps = [] }, index) => {
    const isShared = (app: string) => (other: (typeof entries)[number]) =>
      other.apps?.includes(app) === true && !isSameApps(other.apps, apps);
    for (const app of apps) {
      const other = entries.slice(0, index).find(isShared(app));
      if (!other) continue;
      const fault = `the entry ${other.name} has the app ${app}, too: for one app in two environments both entries list the same apps`;
      return [{ index, fault }];
    }
    return [];
  });
