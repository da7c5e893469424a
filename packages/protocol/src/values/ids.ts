import { z } from 'zod';

import { Queue } from './fields.ts';
import { MAX_SETTING_MEMBERS } from './limits.ts';

/** IDs are integers of different types: passing a channel's ID as a user's does not compile. */
const id = () => z.int().nonnegative();

export const RealmId = id().brand<'RealmId'>();
export type RealmId = z.output<typeof RealmId>;
export const UserId = id().brand<'UserId'>();
export type UserId = z.output<typeof UserId>;
export const UserGroupId = id().brand<'UserGroupId'>();
export type UserGroupId = z.output<typeof UserGroupId>;
export const ChannelId = id().brand<'ChannelId'>();
export type ChannelId = z.output<typeof ChannelId>;
export const ChannelFolderId = id().brand<'ChannelFolderId'>();
export type ChannelFolderId = z.output<typeof ChannelFolderId>;
export const MessageId = id().brand<'MessageId'>();
export type MessageId = z.output<typeof MessageId>;
/** The conversation of a message: a channel, or the participants of direct messages. */
export const RecipientId = id().brand<'RecipientId'>();
export type RecipientId = z.output<typeof RecipientId>;
export const LinkifierId = id().brand<'LinkifierId'>();
export type LinkifierId = z.output<typeof LinkifierId>;
export const InviteId = id().brand<'InviteId'>();
export type InviteId = z.output<typeof InviteId>;
export const DefaultChannelGroupId = id().brand<'DefaultChannelGroupId'>();
export type DefaultChannelGroupId = z.output<typeof DefaultChannelGroupId>;
export const PlaygroundId = id().brand<'PlaygroundId'>();
export type PlaygroundId = z.output<typeof PlaygroundId>;

export const CustomProfileFieldId = id().brand<'CustomProfileFieldId'>();
export type CustomProfileFieldId = z.output<typeof CustomProfileFieldId>;

/** The ID of an event queue, which clients do not interpret. */
export const QueueId = Queue.max(500);

/** The value of a permission setting as clients send it: with a limited number of users and groups. */
export const GroupSettingParameter = z.union([
  UserGroupId,
  z.object({
    direct_members: z.array(UserId).max(MAX_SETTING_MEMBERS),
    direct_subgroups: z.array(UserGroupId).max(MAX_SETTING_MEMBERS),
  }),
]);

/**
 * A change of a permission setting (spec, Conventions 5). With an `old` that is not null, the change is
 * refused unless `old` is the current value.
 */
export const GroupSettingUpdate = z.object({
  new: GroupSettingParameter,
  old: z.union([...GroupSettingParameter.options, z.null()]).optional(),
});
export type GroupSettingUpdate = z.output<typeof GroupSettingUpdate>;

/** The value of a permission setting (spec, Conventions 4): a user group, or users and groups. */
export const GroupSetting = z
  .union([
    UserGroupId,
    z.object({ direct_members: z.array(UserId), direct_subgroups: z.array(UserGroupId) }),
  ])
  .meta({ id: 'GroupSetting' });
export type GroupSetting = z.output<typeof GroupSetting>;
