import { z } from 'zod';

import { Description, Name } from '../values/fields.ts';
import { ChannelId, DefaultChannelGroupId } from '../values/ids.ts';
import { MAX_LIST_LENGTH, MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';

export const MAX_DEFAULT_CHANNEL_GROUP_NAME_LENGTH = 60;
export const MAX_DEFAULT_CHANNEL_GROUP_DESCRIPTION_LENGTH = 1024;
/** Default channel groups that a realm may have at most. */
export const MAX_DEFAULT_CHANNEL_GROUPS = 100;

/** Channels that new users may choose together when they join. */
export const DefaultChannelGroup = z
  .object({
    id: DefaultChannelGroupId,
    name: Name,
    description: Description,
    /** The IDs of its channels. */
    streams: z.array(ChannelId),
  })
  .meta({ id: 'DefaultChannelGroup' });
export type DefaultChannelGroup = z.output<typeof DefaultChannelGroup>;

/** The default channel groups changed. Carries all of them. */
export const DefaultStreamGroupsEvent = z.object({
  type: z.literal('default_stream_groups'),
  default_stream_groups: z.array(DefaultChannelGroup),
});

const state = {
  default_stream_groups: section({ realm_default_stream_groups: z.array(DefaultChannelGroup) }),
};
const applyDefaultStreamGroups = (
  known: StateOf<typeof state>,
  { default_stream_groups }: z.output<typeof DefaultStreamGroupsEvent>,
): StateOf<typeof state> =>
  changed(known, 'realm_default_stream_groups', () => default_stream_groups);

const group_id = DefaultChannelGroupId;
const name = z.string().max(MAX_NAME_LENGTH);
const description = Description.max(MAX_TEXT_LENGTH);
const stream_names = z.array(name).max(MAX_LIST_LENGTH).meta({
  description: 'The names of public channels that are no default channels',
});
const emits = [DefaultStreamGroupsEvent];

/**
 * Operations on the groups of channels that new users may choose. Only administrators may call
 * them.
 */
export const defaultChannelGroups = resource({
  endpoints: {
    create: endpoint('POST /default_stream_groups/create', {
      summary: 'Create a default channel group',
      access: 'admin',
      params: { group_name: name, description, stream_names },
      emits,
    }),

    update: endpoint('PATCH /default_stream_groups/{group_id}', {
      summary: 'Rename or describe a default channel group',
      access: 'admin',
      params: {
        group_id,
        new_group_name: name.optional(),
        new_description: description.optional(),
      },
      emits,
    }),

    remove: endpoint('DELETE /default_stream_groups/{group_id}', {
      summary: 'Remove a default channel group',
      access: 'admin',
      params: { group_id },
      emits,
    }),

    updateChannels: endpoint('PATCH /default_stream_groups/{group_id}/streams', {
      summary: 'Add channels to a default channel group, or remove some',
      access: 'admin',
      params: { group_id, op: z.enum(['add', 'remove']), stream_names },
      emits,
    }),
  },
  events: [event(DefaultStreamGroupsEvent, applyDefaultStreamGroups)],
  state,
});
