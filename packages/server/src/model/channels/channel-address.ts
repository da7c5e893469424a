import { ApiError, type ChannelId } from '@bellhop/protocol';

/** A channel by name (in any letter case) or id. */
export type ChannelAddress = { readonly name: string } | { readonly id: ChannelId };

/** The error for a channel that does not exist, or that the user may not see. */
export const noSuchChannel = (address: ChannelAddress): ApiError =>
  'id' in address
    ? new ApiError('STREAM_DOES_NOT_EXIST', {
        message: `Channel with ID '${address.id}' does not exist`,
        data: { stream_id: address.id },
      })
    : new ApiError('STREAM_DOES_NOT_EXIST', {
        message: `Channel '${address.name}' does not exist`,
        data: { stream: address.name },
      });
