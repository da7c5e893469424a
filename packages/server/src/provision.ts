import { jobsMigrations } from '@bellhop/jobs';
import type { Migrations } from '@bellhop/postgres';

// These declare the tables that programs and tests outside of the server read.
import './model/bots/queries.ts';
import './model/channels/channel-rows.ts';
import './model/devices/queries.ts';
import './model/messages/queries.ts';
import './model/realms/queries.ts';
import './model/user-groups/queries.ts';
import './model/users/queries.ts';

export type { Config } from './config.ts';
export { diagnose, type DiagnoseOptions } from './doctor/diagnose.ts';
export { newSecret, secretsOf } from './engine/secrets.ts';
export { isMailAddress } from './mail/mail-address.ts';
export { createChannel, type NewChannel } from './model/channels/create/create-channel.ts';
export { subscribeUsers } from './resources/channels/subscribe/subscribe-users.ts';
export { distributionStatements } from './distribution.ts';
export { FileStoreFault } from './files/file-store.ts';
export { createFiles } from './files/files.ts';
export { createSignInKey } from './model/console-sessions/sign-in-key.ts';
export { lock as lockRealm } from './model/realms/queries.ts';
export { deactivateRealm, reactivateRealm } from './resources/realms/deactivate-realm.ts';
export { moveUploads, type MoveOptions } from './resources/uploads/move-uploads.ts';
export { type LooseObjects, removeLooseObjects } from './resources/uploads/remove-objects.ts';
export { createRealm } from './resources/realms/create-realm.ts';
export { operatorResetLink } from './model/password-resets/reset-link.ts';
export { type AccountRight, accountRights, setAccountRight } from './model/users/account-rights.ts';
export { createUser } from './model/users/create-user.ts';
export { personToErase, startErasure } from './resources/users/erase-person.ts';
export type { Finding, Migrations } from '@bellhop/postgres';
export type {
  ChannelFolderId,
  ChannelGroupSetting,
  GroupSetting,
  TopicsPolicy,
  UserSettings,
} from '@bellhop/protocol';
export type { Db, LockedChange, LockedTx } from './engine/call.ts';
export type { CreationContext } from './model/channels/create/create-channel.ts';
export type { SubscriptionRow } from './model/channels/subscribe/subscription-rows.ts';
export type { FilesDatabase } from './model/uploads/database-files.ts';
export type { FilePlaceName, FilesCount } from './model/uploads/place-queries.ts';
export type { LinkContext, Operator } from './model/password-resets/reset-link.ts';
export type { RightChange } from './model/users/account-rights.ts';
export type { NewUser } from './model/users/create-user.ts';
export type { NewRealm } from './resources/realms/create-realm.ts';
export type { SubscribeRequest } from './resources/channels/subscribe/subscribe-users.ts';
export type {
  SightChange,
  SightEvent,
  SightRealm,
} from './resources/user-events/changing-sight.ts';
export type * from './exported-types.ts';

/** The migrations of the server and of its job queue, for `migrate()`. */
export const serverMigrations: Migrations[] = [
  jobsMigrations,
  {
    package: 'server',
    directory: new URL('../migrations/', import.meta.url),
    functions: new URL('../sql/functions.sql', import.meta.url),
  },
];
