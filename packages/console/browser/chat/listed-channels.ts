import type { ChannelFolder, InitialState, Subscription } from '@bellhop/protocol';

import { settingsOf } from '../live/user-setting.ts';

/** Channels of the list that stand together. */
export interface ListedChannels {
  /** Undefined for those without a heading of their own, which come first. */
  readonly title: string | undefined;
  readonly channels: readonly Subscription[];
}
type State = Pick<InitialState, 'subscriptions' | 'channel_folders' | 'user_settings'>;

const policies = { automatic: 1, always: 2, never: 3 };
/** In a list of so many, inactive channels are in the way. */
const MANY = 30;

/** The setting that decides whether a list of channels has its folders. */
type FolderSetting = 'web_left_sidebar_show_channel_folders' | 'web_inbox_show_channel_folders';

/**
 * The channels that a user has subscribed to, in the order of a list: pinned ones first, then by name; by folder
 * if the setting says so, and inactive ones last (`demote_inactive_streams`).
 */
export function listedChannels(state: State, byFolder: FolderSetting): readonly ListedChannels[] {
  const settings = settingsOf(state);
  const all = (state.subscriptions ?? [])
    .filter(({ is_archived }) => !is_archived)
    .toSorted(
      (a, b) => Number(b.pin_to_top) - Number(a.pin_to_top) || a.name.localeCompare(b.name),
    );
  const policy = settings.demote_inactive_streams;
  const demotes =
    policy === policies.always || (policy === policies.automatic && all.length >= MANY);
  const isDemoted = (one: Subscription) => demotes && !one.is_recently_active && !one.pin_to_top;
  const folders = settings[byFolder] ? openFolders(state) : [];
  const folderOf = (one: Subscription) =>
    one.pin_to_top ? undefined : folders.find(({ id }) => id === one.folder_id);
  const active = all.filter((one) => !isDemoted(one));
  return [
    { title: undefined, channels: active.filter((one) => !folderOf(one)) },
    ...folders.map((folder) => ({
      title: folder.name,
      channels: active.filter((one) => folderOf(one) === folder),
    })),
    { title: 'Inactive channels', channels: all.filter(isDemoted) },
  ].filter(({ channels }) => channels.length > 0);
}

const openFolders = ({ channel_folders }: State): readonly ChannelFolder[] =>
  (channel_folders ?? [])
    .filter(({ is_archived }) => !is_archived)
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
