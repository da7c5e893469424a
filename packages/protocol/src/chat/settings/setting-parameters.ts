import type { z } from 'zod';

import { userSettings, type UserSettingName, type UserSettingSchemas } from './user-settings.ts';

type SettingParameters<Name extends UserSettingName> = {
  [K in Name]: z.ZodOptional<UserSettingSchemas[K]>;
};

/** The parameters that set these personal settings; each may be left out. */
export const settingParameters = <Name extends UserSettingName>(names: readonly Name[]) =>
  Object.fromEntries(
    names.map((name) => [name, userSettings[name].schema.optional()]),
  ) as unknown as SettingParameters<Name>;

/** The feature levels that added these settings; settings of the first level are left out. */
export const settingsSince = <Name extends UserSettingName>(
  names: readonly Name[],
): { [K in Name]?: number } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const { since }: { schema: z.ZodType; since?: number } = userSettings[name];
      return since === undefined ? [] : [[name, since]];
    }),
  ) as { [K in Name]?: number };
