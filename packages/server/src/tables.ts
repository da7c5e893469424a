import type { EventsTables } from './engine/tables.ts';
import type { MailTables } from './mail/tables.ts';
import type { AccountsTables } from './resources/accounts/tables.ts';
import type { AlertWordsTables } from './resources/alert-words/tables.ts';
import type { BotChangesTables } from './resources/bot-changes/tables.ts';
import type { BotDeliveriesTables } from './resources/bot-deliveries/tables.ts';
import type { BotStorageTables } from './resources/bot-storage/tables.ts';
import type { BotTopicsTables } from './resources/bot-topics/tables.ts';
import type { BotsTables } from './resources/bots/tables.ts';
import type { ChannelFoldersTables } from './resources/channel-folders/tables.ts';
import type { ChannelsTables } from './resources/channels/tables.ts';
import type { ConsoleSessionsTables } from './resources/console-sessions/tables.ts';
import type { CustomProfileFieldsTables } from './resources/custom-profile-fields/tables.ts';
import type { DefaultChannelGroupsTables } from './resources/default-channel-groups/tables.ts';
import type { DevicesTables } from './resources/devices/tables.ts';
import type { DraftsTables } from './resources/drafts/tables.ts';
import type { EmailChangesTables } from './resources/email-changes/tables.ts';
import type { InvitesTables } from './resources/invites/tables.ts';
import type { LinkifiersTables } from './resources/linkifiers/tables.ts';
import type { MailsTables } from './resources/mails/tables.ts';
import type { MessagesTables } from './resources/messages/tables.ts';
import type { MutedUsersTables } from './resources/muted-users/tables.ts';
import type { NavigationViewsTables } from './resources/navigation-views/tables.ts';
import type { PlaygroundsTables } from './resources/playgrounds/tables.ts';
import type { PresenceTables } from './resources/presence/tables.ts';
import type { ReactionsTables } from './resources/reactions/tables.ts';
import type { RealmDomainsTables } from './resources/realm-domains/tables.ts';
import type { RealmEmojiTables } from './resources/realm-emoji/tables.ts';
import type { RealmImagesTables } from './resources/realm-images/tables.ts';
import type { RealmsTables } from './resources/realms/tables.ts';
import type { RemindersTables } from './resources/reminders/tables.ts';
import type { SavedSnippetsTables } from './resources/saved-snippets/tables.ts';
import type { ScheduledMessagesTables } from './resources/scheduled-messages/tables.ts';
import type { SubmessagesTables } from './resources/submessages/tables.ts';
import type { UploadsTables } from './resources/uploads/tables.ts';
import type { UserGroupsTables } from './resources/user-groups/tables.ts';
import type { UserStatusTables } from './resources/user-status/tables.ts';
import type { UserTopicsTables } from './resources/user-topics/tables.ts';
import type { UsersTables } from './resources/users/tables.ts';

export interface Tables
  extends
    AccountsTables,
    AlertWordsTables,
    BotChangesTables,
    BotDeliveriesTables,
    BotStorageTables,
    BotTopicsTables,
    BotsTables,
    ChannelFoldersTables,
    ChannelsTables,
    ConsoleSessionsTables,
    CustomProfileFieldsTables,
    DefaultChannelGroupsTables,
    DevicesTables,
    DraftsTables,
    EmailChangesTables,
    EventsTables,
    InvitesTables,
    LinkifiersTables,
    MailTables,
    MailsTables,
    MessagesTables,
    MutedUsersTables,
    NavigationViewsTables,
    PlaygroundsTables,
    PresenceTables,
    ReactionsTables,
    RealmDomainsTables,
    RealmEmojiTables,
    RealmImagesTables,
    RealmsTables,
    RemindersTables,
    SavedSnippetsTables,
    ScheduledMessagesTables,
    SubmessagesTables,
    UploadsTables,
    UserGroupsTables,
    UserStatusTables,
    UserTopicsTables,
    UsersTables {}
