import { absentFeatures } from '../chat/absent-features.ts';
import { accounts } from '../chat/accounts.ts';
import { alertWords } from '../chat/alert-words.ts';
import { avatars } from '../chat/avatars.ts';
import { botStorage } from '../chat/bot-storage.ts';
import { botTopics } from '../chat/bot-topics.ts';
import { bots } from '../chat/bots/bots.ts';
import { channelFolders } from '../chat/channel-folders.ts';
import { channels, subscriptions } from '../chat/channels/channels.ts';
import { consoleSessions } from '../chat/console-sessions.ts';
import { customProfileFields } from '../chat/custom-profile-fields.ts';
import { defaultChannelGroups } from '../chat/default-channel-groups.ts';
import { devices } from '../chat/devices.ts';
import { drafts } from '../chat/drafts.ts';
import { emailChanges } from '../chat/email-changes.ts';
import { invites } from '../chat/invites.ts';
import { linkifiers } from '../chat/linkifiers.ts';
import { mails } from '../chat/mails.ts';
import { messages } from '../chat/messages/messages.ts';
import { mutedUsers } from '../chat/muted-users.ts';
import { navigationViews } from '../chat/navigation-views.ts';
import { passwordResets } from '../chat/password-resets.ts';
import { playgrounds } from '../chat/playgrounds.ts';
import { presence } from '../chat/presence.ts';
import { reactions } from '../chat/reactions.ts';
import { realmDomains } from '../chat/realm-domains.ts';
import { realmEmoji } from '../chat/realm-emoji.ts';
import { realmImages } from '../chat/realm-images.ts';
import { realms } from '../chat/realms/realms.ts';
import { reminders } from '../chat/reminders.ts';
import { savedSnippets } from '../chat/saved-snippets.ts';
import { scheduledMessages } from '../chat/scheduled-messages.ts';
import { serverSettings } from '../chat/server-settings.ts';
import { settings } from '../chat/settings/settings.ts';
import { submessages } from '../chat/submessages.ts';
import { typing } from '../chat/typing.ts';
import { unencryptedPush } from '../chat/unencrypted-push.ts';
import { attachments, uploads } from '../chat/uploads.ts';
import { userGroups } from '../chat/user-groups/user-groups.ts';
import { userStatus } from '../chat/user-status.ts';
import { userTopics } from '../chat/user-topics.ts';
import { users } from '../chat/users/users.ts';
import { botChanges } from '../webhooks/bot-changes.ts';
import { botDeliveries } from '../webhooks/bot-deliveries/bot-deliveries.ts';

/** The resources of the API. Endpoints, events and initial state are collected from this list. */
export const resources = {
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
export type Resources = typeof resources;
