import { type Api, channelGroupSettings, type ParamsOf } from '@bellhop/protocol';

import type { NewChannel } from './create-channel.ts';

/** The parameters that set up a new channel: the same for all endpoints that create channels. */
export type ChannelCreation = Omit<
  ParamsOf<Api['channels']['create']>,
  'name' | 'description' | 'subscribers' | 'announce'
>;

/** The properties of a channel that the parameters of a request set up. */
export const newChannelOf = (
  params: ChannelCreation,
): Omit<NewChannel, 'name' | 'description'> => ({
  invite_only: params.invite_only,
  is_web_public: params.is_web_public,
  is_default: params.is_default_stream,
  history_public_to_subscribers: params.history_public_to_subscribers,
  message_retention_days: retentionDays(params.message_retention_days),
  topics_policy: params.topics_policy,
  folder_id: params.folder_id ?? null,
  groups: Object.fromEntries(channelGroupSettings.map((name) => [name, params[name]])),
});

/** The value of the column `message_retention_days`: null for the realm's setting, -1 for unlimited. */
export const retentionDays = (value: ChannelCreation['message_retention_days']): number | null =>
  typeof value === 'number' ? value : value === 'realm_default' ? null : -1;
