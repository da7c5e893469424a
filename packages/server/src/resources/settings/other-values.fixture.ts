import { initialUserSettings, type UserSettingName, userSettings } from '@bellhop/protocol';

const named: Partial<Record<UserSettingName, string>> = {
  timezone: 'Asia/Tokyo',
  default_language: 'fr',
};

/** Another allowed value than the initial one. */
function otherValue(name: UserSettingName): unknown {
  const initial = initialUserSettings[name];
  if (typeof initial === 'boolean') return !initial;
  const { def } = userSettings[name].schema as unknown as {
    def: { values?: unknown[]; entries?: Record<string, unknown> };
  };
  const values = def.values ?? Object.values(def.entries ?? {});
  return named[name] ?? values.find((value) => value !== initial) ?? Number(initial) + 1;
}

/** A value of each setting that differs from the initial one. */
export const otherValues = (names: readonly UserSettingName[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, otherValue(name)]));

/** Settings as the fields of a form. */
export const asFields = (settings: object): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
