import { ChannelPanel } from './channels/channel-panel.tsx';
import { ChannelsPage } from './channels/channels-page.tsx';
import { DefaultGroupPanel } from './channels/default-group-panel.tsx';
import { DefaultGroupsPage } from './channels/default-groups-page.tsx';
import { FolderPanel } from './channels/folder-panel.tsx';
import { FoldersPage } from './channels/folders-page.tsx';
import { strings as channels } from './channels/strings.ts';
import { GroupPanel } from './groups/group-panel.tsx';
import { GroupsPage } from './groups/groups-page.tsx';
import { strings as groups } from './groups/strings.ts';
import { InvitationsPage } from './invitations/invitations-page.tsx';
import { MailPanel } from './mails/mail-panel.tsx';
import { MailsPage } from './mails/mails-page.tsx';
import type { OrganizationPage } from './page.ts';
import { ProfileFieldsPage } from './people/profile-fields-page.tsx';
import { UserPanel } from './people/user-panel.tsx';
import { UsersPage } from './people/users-page.tsx';
import { RealmSettingsPage } from './settings/realm-settings-page.tsx';
import { strings as settings } from './settings/strings.ts';
import { DefaultSettingsPage, OwnSettingsPage } from './settings/user-settings-page.tsx';
import { ViewsPage } from './settings/views-page.tsx';
import { strings } from './strings.ts';
import { EmojiPage } from './texts/emoji-page.tsx';
import { LinkifierPanel } from './texts/linkifier-panel.tsx';
import { LinkifiersPage } from './texts/linkifiers-page.tsx';
import { PlaygroundsPage } from './texts/playgrounds-page.tsx';
import { strings as texts } from './texts/strings.ts';

interface PageGroup {
  readonly title: string;
  readonly pages: readonly OrganizationPage[];
}

/** The pages of the organization in the order of their list. */
export const pageGroups: readonly PageGroup[] = [
  {
    title: strings.people,
    pages: [
      {
        id: 'users',
        words: strings.users,
        icon: 'users',
        view: UsersPage,
        inspector: UserPanel,
      },
      {
        id: 'invitations',
        words: strings.invitations,
        icon: 'user-plus',
        isFor: ({ isGuest }) => !isGuest,
        view: InvitationsPage,
      },
      {
        id: 'groups',
        words: groups.groups,
        icon: 'at-sign',
        view: GroupsPage,
        inspector: GroupPanel,
      },
      {
        id: 'profile-fields',
        words: strings.profileFields,
        icon: 'user',
        view: ProfileFieldsPage,
      },
      {
        id: 'mails',
        words: strings.mails,
        icon: 'mail',
        isFor: ({ isOwner }) => isOwner,
        view: MailsPage,
        inspector: MailPanel,
      },
    ],
  },
  {
    title: channels.title,
    pages: [
      {
        id: 'channels',
        words: channels.channels,
        icon: 'hash',
        view: ChannelsPage,
        inspector: ChannelPanel,
      },
      {
        id: 'folders',
        words: channels.folders,
        icon: 'folder',
        view: FoldersPage,
        inspector: FolderPanel,
      },
      {
        id: 'default-groups',
        words: channels.defaultGroups,
        icon: 'check-check',
        view: DefaultGroupsPage,
        inspector: DefaultGroupPanel,
      },
    ],
  },
  {
    title: texts.title,
    pages: [
      {
        id: 'linkifiers',
        words: texts.linkifiers,
        icon: 'link',
        view: LinkifiersPage,
        inspector: LinkifierPanel,
      },
      { id: 'playgrounds', words: texts.playgrounds, icon: 'play', view: PlaygroundsPage },
      {
        id: 'emoji',
        words: texts.emoji,
        icon: 'face-slightly-smiling-plus',
        view: EmojiPage,
      },
    ],
  },
  {
    title: settings.title,
    pages: [
      { id: 'settings', words: settings.own, icon: 'user', view: OwnSettingsPage },
      { id: 'views', words: settings.views, icon: 'route', view: ViewsPage },
      {
        id: 'defaults',
        words: settings.defaults,
        icon: 'list-todo',
        isFor: ({ isAdmin }) => isAdmin,
        view: DefaultSettingsPage,
      },
      {
        id: 'realm',
        words: settings.realm,
        icon: 'settings',
        isFor: ({ isAdmin }) => isAdmin,
        view: RealmSettingsPage,
      },
    ],
  },
];
