import type { Config } from './config.ts';
import type { ServerJob } from './engine/job.ts';
import type { ServerResources } from './engine/resource.ts';
import type { Secrets } from './engine/secrets.ts';
import type { Presenters } from './engine/stored-event.ts';
import { sendMail } from './mail/send-mail.ts';
import { absentFeatures } from './resources/absent-features/absent-features.ts';
import { accounts } from './resources/accounts/accounts.ts';
import { alertWords } from './resources/alert-words/alert-words.ts';
import { avatars } from './resources/avatars/avatars.ts';
import { botChanges } from './resources/bot-changes/bot-changes.ts';
import { botDeliveries } from './resources/bot-deliveries/bot-deliveries.ts';
import { botStorage } from './resources/bot-storage/bot-storage.ts';
import { botTopics } from './resources/bot-topics/bot-topics.ts';
import { bots } from './resources/bots/bots.ts';
import { channelFolders } from './resources/channel-folders/channel-folders.ts';
import { channels } from './resources/channels/channels.ts';
import { subscriptions } from './resources/channels/subscriptions.ts';
import { consoleSessions } from './resources/console-sessions/console-sessions.ts';
import { customProfileFields } from './resources/custom-profile-fields/custom-profile-fields.ts';
import { defaultChannelGroups } from './resources/default-channel-groups/default-channel-groups.ts';
import { devices } from './resources/devices/devices.ts';
import { drafts } from './resources/drafts/drafts.ts';
import { emailChanges } from './resources/email-changes/email-changes.ts';
import { invites } from './resources/invites/invites.ts';
import { linkifiers } from './resources/linkifiers/linkifiers.ts';
import { mails } from './resources/mails/mails.ts';
import { messages } from './resources/messages/messages.ts';
import { mutedUsers } from './resources/muted-users/muted-users.ts';
import { navigationViews } from './resources/navigation-views/navigation-views.ts';
import { passwordResets } from './resources/password-resets/password-resets.ts';
import { playgrounds } from './resources/playgrounds/playgrounds.ts';
import { presence } from './resources/presence/presence.ts';
import { queues } from './resources/queues/queues.ts';
import { reactions } from './resources/reactions/reactions.ts';
import { realmDomains } from './resources/realm-domains/realm-domains.ts';
import { realmEmoji } from './resources/realm-emoji/realm-emoji.ts';
import { realmImages } from './resources/realm-images/realm-images.ts';
import { realms } from './resources/realms/realms.ts';
import { reminders } from './resources/reminders/reminders.ts';
import { savedSnippets } from './resources/saved-snippets/saved-snippets.ts';
import { scheduledMessages } from './resources/scheduled-messages/scheduled-messages.ts';
import { serverSettings } from './resources/server-settings/server-settings.ts';
import { settings } from './resources/settings/settings.ts';
import { submessages } from './resources/submessages/submessages.ts';
import { typing } from './resources/typing/typing.ts';
import { unencryptedPush } from './resources/unencrypted-push/unencrypted-push.ts';
import { attachments } from './resources/uploads/attachments.ts';
import { uploads } from './resources/uploads/uploads.ts';
import { userGroups } from './resources/user-groups/user-groups.ts';
import { userStatus } from './resources/user-status/user-status.ts';
import { userTopics } from './resources/user-topics/user-topics.ts';
import { users } from './resources/users/users.ts';

/** The implementation of each resource of the contract. */
export const resources: ServerResources = {
  absentFeatures,
  accounts,
  alertWords,
  attachments,
  avatars,
  botChanges,
  botDeliveries,
  botStorage,
  botTopics,
  bots,
  channelFolders,
  channels,
  consoleSessions,
  customProfileFields,
  defaultChannelGroups,
  devices,
  drafts,
  emailChanges,
  invites,
  linkifiers,
  mails,
  messages,
  mutedUsers,
  navigationViews,
  passwordResets,
  playgrounds,
  presence,
  queues,
  reactions,
  realmDomains,
  realmEmoji,
  realmImages,
  realms,
  reminders,
  savedSnippets,
  scheduledMessages,
  serverSettings,
  settings,
  submessages,
  subscriptions,
  typing,
  unencryptedPush,
  uploads,
  userGroups,
  userStatus,
  userTopics,
  users,
};

interface ResourceParts {
  readonly handlers?: object;
  readonly jobs?: (config: Config) => readonly ServerJob<unknown>[];
  readonly presenters?: (secrets: Secrets) => Presenters;
}
const all: readonly (readonly [string, ResourceParts])[] = Object.entries(resources);

/** The handlers by resource and operation. */
export const handlers = Object.fromEntries(all.map(([name, parts]) => [name, parts.handlers]));

/** All background jobs. */
export const jobs = (config: Config): ServerJob<unknown>[] => [
  sendMail(config),
  ...all.flatMap(([, parts]) => parts.jobs?.(config) ?? []),
];

/** The functions that present an event to a queue, by event type, for events whose form depends on the queue. */
export const presenters = (secrets: Secrets): Presenters =>
  Object.assign({}, ...all.map(([, parts]) => parts.presenters?.(secrets))) as Presenters;
