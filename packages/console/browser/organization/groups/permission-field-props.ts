import type { GroupSetting, GroupSettingUpdate, InitialState } from '@bellhop/protocol';

export interface PermissionFieldProps {
  readonly state: InitialState;
  /** The kind of object. It and the name of the setting decide which values are possible. */
  readonly of: 'realm' | 'stream' | 'group';
  readonly name: string;
  readonly label: string;
  readonly value: GroupSetting;
  /** Undefined if the reader may not change the setting. */
  readonly save: ((change: GroupSettingUpdate) => Promise<unknown>) | undefined;
}
