import type { EventsTables } from '../engine/tables.ts';
import type { MailTables } from '../mail/tables.ts';
import type { AccountsTables } from './accounts/tables.ts';
import type { AlertWordsTables } from './alert-words/tables.ts';
import type { BotChangesTables } from './bot-changes/tables.ts';
import type { BotDeliveriesTables } from './bot-deliveries/tables.ts';
import type { BotStorageTables } from './bot-storage/tables.ts';
import type { BotTopicsTables } from './bot-topics/tables.ts';
import type { BotsTables } from './bots/tables.ts';
import type { ChannelFoldersTables } from './channel-folders/tables.ts';
import type { ChannelsTables } from './channels/tables.ts';
import type { ConsoleSessionsTables } from './console-sessions/tables.ts';
import type { CustomProfileFieldsTables } from './custom-profile-fields/tables.ts';
import type { DefaultChannelGroupsTables } from './default-channel-groups/tables.ts';
import type { DevicesTables } from './devices/tables.ts';
import type { DraftsTables } from './drafts/tables.ts';
import type { EmailChangesTables } from './email-changes/tables.ts';
import type { InvitesTables } from './invites/tables.ts';
import type { LinkifiersTables } from './linkifiers/tables.ts';
import type { MailsTables } from './mails/tables.ts';
import type { MessagesTables } from './messages/tables.ts';
import type { MutedUsersTables } from './muted-users/tables.ts';
import type { NavigationViewsTables } from './navigation-views/tables.ts';
import type { PlaygroundsTables } from './playgrounds/tables.ts';
import type { PresenceTables } from './presence/tables.ts';
import type { ReactionsTables } from './reactions/tables.ts';
import type { RealmDomainsTables } from './realm-domains/tables.ts';
import type { RealmEmojiTables } from './realm-emoji/tables.ts';
import type { RealmImagesTables } from './realm-images/tables.ts';
import type { RealmsTables } from './realms/tables.ts';
import type { RemindersTables } from './reminders/tables.ts';
import type { SavedSnippetsTables } from './saved-snippets/tables.ts';
import type { ScheduledMessagesTables } from './scheduled-messages/tables.ts';
import type { SubmessagesTables } from './submessages/tables.ts';
import type { UploadsTables } from './uploads/tables.ts';
import type { UserGroupsTables } from './user-groups/tables.ts';
import type { UserStatusTables } from './user-status/tables.ts';
import type { UserTopicsTables } from './user-topics/tables.ts';
import type { UsersTables } from './users/tables.ts';

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
