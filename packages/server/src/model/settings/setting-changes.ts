import type { UserSettingName, UserSettings } from '@bellhop/protocol';

export interface SettingChange<Name extends UserSettingName> {
  readonly property: Name;
  readonly value: UserSettings[UserSettingName];
}

/** The requested settings that differ from the current ones. */
export const changesOf = <Name extends UserSettingName>(
  current: UserSettings,
  requested: { readonly [N in Name]?: UserSettings[N] | undefined },
): SettingChange<Name>[] =>
  (Object.entries(requested) as [Name, UserSettings[Name] | undefined][]).flatMap(
    ([property, value]) =>
      value === undefined || value === current[property] ? [] : [{ property, value }],
  );
