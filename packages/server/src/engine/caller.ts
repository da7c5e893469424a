import type {
  BotType,
  Linkifier,
  RealmGroupSetting,
  RealmId,
  Role,
  UserGroupId,
  UserId,
} from '@bellhop/protocol';

/** A realm; that of a request is found by its host name. */
export interface Realm {
  readonly id: RealmId;
  readonly subdomain: string;
  readonly name: string;
  readonly description: string;
  readonly uuid: string;
  /** The address for people, without a slash at the end: `https://sub.example.com`. */
  readonly url: string;
  readonly is_active: boolean;
  /** Whether the server allows channels that are read without a login (BELLHOP_WEB_PUBLIC_CHANNELS). */
  readonly has_web_public_channels: boolean;
  readonly waiting_period_days: number;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly group_settings: Readonly<Record<RealmGroupSetting, UserGroupId>>;
  /** Whether `can_access_all_users_group` includes guests. */
  readonly guests_see_all_users: boolean;
  /**
   * Whether pushes can be sent to a device of a user. If not, sending a message looks up no
   * devices.
   */
  readonly has_push_devices: boolean;
  readonly user_defaults: Readonly<Record<string, unknown>>;
  readonly date_created: Date;
  /** Linkifiers in the order in which they apply. */
  readonly linkifiers: readonly Linkifier[];
  /** The active custom emoji: path of the image by name. */
  readonly emoji: ReadonlyMap<string, string>;
}

/** A user of a realm: the caller, or anybody else. */
export interface User {
  readonly id: UserId;
  readonly realm_id: RealmId;
  readonly delivery_email: string;
  readonly full_name: string;
  readonly role: Role;
  readonly is_active: boolean;
  readonly is_bot: boolean;
  readonly bot_type: BotType | null;
  readonly bot_owner_id: UserId | null;
  /** The digest of the API key: another one means that logins have ended. */
  readonly api_key_mac: Buffer;
  readonly is_system_bot: boolean;
  readonly can_create_users: boolean;
  readonly can_change_user_emails: boolean;
  readonly timezone: string;
  /** `G`: computed by Gravatar from the e-mail address; `U`: uploaded. */
  readonly avatar_source: 'G' | 'U';
  /** Counts the changes of the avatar. */
  readonly avatar_version: number;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly date_joined: Date;
}

/** A user, and the realm that they are in. */
export interface UserInRealm {
  readonly realm: Realm;
  readonly user: User;
}

/** For whom something is done, and when: what a function needs to know of the call that it is a part of. */
export interface Actor extends UserInRealm {
  /** UNIX time in seconds. */
  readonly now: number;
}

/** The caller of a request. */
export interface Caller {
  readonly realm: Realm;
  readonly user: User | null;
  readonly client: string;
  /** Whether the client was made for public servers, and reads their names of values (decision 115). */
  readonly reads_public_names: boolean;
}
