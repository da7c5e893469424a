import type { ErrorCode } from './errors.ts';
import type { ChannelGroupSetting, RealmGroupSetting, UserGroupSetting } from './group-settings.ts';

/**
 * A source of a permission: a role or a higher one; `own`, if the object of the request is the
 * caller's own; a flag of the account, which the operator sets; a setting of the realm, the channel
 * or the user group, if the caller belongs to the group that is its value; a true or false setting
 * of the realm that gives the permission to everybody while it is off. A group setting that does
 * not allow `role:everyone` gives guests nothing.
 */
export type Grant =
  | 'owner'
  | 'admin'
  | 'member'
  | 'own'
  | `account.${'can_create_users' | 'can_change_user_emails'}`
  | `realm.${RealmGroupSetting}`
  | `realm.${'avatar' | 'email' | 'name'}_changes_disabled=false`
  | `channel.${ChannelGroupSetting}`
  | `group.${UserGroupSetting}`;

/** A permission that an endpoint requires beside its `access`. */
export interface Permission {
  /** The permitted action: `delete a message of another user`. */
  readonly to: string;
  /**
   * The parameter that requires it, if given: `message_retention_days`, or one value of a parameter:
   * `invite_as=100`. Omitted if every request requires it.
   */
  readonly when?: string;
  /**
   * A further condition under which a request requires the permission: `the channel is private`.
   * Then it replaces a permission with the same `when` and without `where`.
   */
  readonly where?: string;
  /** Any one of them is enough. */
  readonly grants: readonly Grant[];
  /** Whether bots are refused although a grant covers them. */
  readonly bots?: false;
  /** The error without the permission. Default: BAD_REQUEST. */
  readonly refusal?: ErrorCode;
}
