import type { GroupSetting, GroupSettingUpdate, InitialState } from '@bellhop/protocol';

export interface PermissionFieldProps {
  readonly state: InitialState;
  /** The kind of object and the name of the setting: what values it takes depends on them. */
  readonly of: 'realm' | 'stream' | 'group';
  readonly name: string;
  readonly label: string;
  readonly value: GroupSetting;
  /** Undefined where the reader may not change it. */
  readonly save: ((change: GroupSettingUpdate) => Promise<unknown>) | undefined;
}
