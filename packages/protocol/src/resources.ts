import { absentFeatures } from './absent-features.ts';
import { accounts } from './accounts.ts';
import { alertWords } from './alert-words.ts';
import { avatars } from './avatars.ts';
import { botChanges } from './bot-changes.ts';
import { botDeliveries } from './bot-deliveries/bot-deliveries.ts';
import { botStorage } from './bot-storage.ts';
import { botTopics } from './bot-topics.ts';
import { bots } from './bots/bots.ts';
import { channelFolders } from './channel-folders.ts';
import { channels, subscriptions } from './channels/channels.ts';
import { consoleSessions } from './console-sessions.ts';
import { customProfileFields } from './custom-profile-fields.ts';
import { defaultChannelGroups } from './default-channel-groups.ts';
import { devices } from './devices.ts';
import { drafts } from './drafts.ts';
import { emailChanges } from './email-changes.ts';
import { invites } from './invites.ts';
import { linkifiers } from './linkifiers.ts';
import { mails } from './mails.ts';
import { messages } from './messages/messages.ts';
import { mutedUsers } from './muted-users.ts';
import { navigationViews } from './navigation-views.ts';
import { playgrounds } from './playgrounds.ts';
import { presence } from './presence.ts';
import { reactions } from './reactions.ts';
import { realmDomains } from './realm-domains.ts';
import { realmEmoji } from './realm-emoji.ts';
import { realmImages } from './realm-images.ts';
import { realms } from './realms/realms.ts';
import { reminders } from './reminders.ts';
import { savedSnippets } from './saved-snippets.ts';
import { scheduledMessages } from './scheduled-messages.ts';
import { serverSettings } from './server-settings.ts';
import { settings } from './settings/settings.ts';
import { submessages } from './submessages.ts';
import { typing } from './typing.ts';
import { attachments, uploads } from './uploads.ts';
import { userGroups } from './user-groups/user-groups.ts';
import { userStatus } from './user-status.ts';
import { userTopics } from './user-topics.ts';
import { users } from './users/users.ts';

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
  uploads,
  userGroups,
  userStatus,
  userTopics,
  users,
};
export type Resources = typeof resources;
