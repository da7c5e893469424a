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

const everybody = () => true;

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
        title: strings.users,
        icon: 'users',
        isFor: everybody,
        view: UsersPage,
        inspector: UserPanel,
      },
      {
        id: 'invitations',
        title: strings.invitations,
        icon: 'user-plus',
        isFor: ({ isGuest }) => !isGuest,
        view: InvitationsPage,
      },
      {
        id: 'groups',
        title: groups.groups,
        icon: 'at-sign',
        isFor: everybody,
        view: GroupsPage,
        inspector: GroupPanel,
      },
      {
        id: 'profile-fields',
        title: strings.profileFields,
        icon: 'user',
        isFor: everybody,
        view: ProfileFieldsPage,
      },
      {
        id: 'mails',
        title: strings.mails,
        icon: 'mail',
        isFor: ({ isOwner }) => isOwner,
        view: MailsPage,
        inspector: MailPanel,
      },
    ],
  },
  {
    title: channels.channels,
    pages: [
      {
        id: 'channels',
        title: channels.channels,
        icon: 'hash',
        isFor: everybody,
        view: ChannelsPage,
        inspector: ChannelPanel,
      },
      {
        id: 'folders',
        title: channels.folders,
        icon: 'folder',
        isFor: everybody,
        view: FoldersPage,
        inspector: FolderPanel,
      },
      {
        id: 'default-groups',
        title: channels.defaultGroups,
        icon: 'check-check',
        isFor: everybody,
        view: DefaultGroupsPage,
        inspector: DefaultGroupPanel,
      },
    ],
  },
  {
    title: texts.texts,
    pages: [
      {
        id: 'linkifiers',
        title: texts.linkifiers,
        icon: 'link',
        isFor: everybody,
        view: LinkifiersPage,
        inspector: LinkifierPanel,
      },
      {
        id: 'playgrounds',
        title: texts.playgrounds,
        icon: 'play',
        isFor: everybody,
        view: PlaygroundsPage,
      },
      {
        id: 'emoji',
        title: texts.emoji,
        icon: 'face-slightly-smiling-plus',
        isFor: everybody,
        view: EmojiPage,
      },
    ],
  },
  {
    title: settings.settings,
    pages: [
      {
        id: 'settings',
        title: settings.own,
        icon: 'user',
        isFor: everybody,
        view: OwnSettingsPage,
      },
      {
        id: 'views',
        title: settings.views,
        icon: 'route',
        isFor: everybody,
        view: ViewsPage,
      },
      {
        id: 'defaults',
        title: settings.defaults,
        icon: 'list-todo',
        isFor: ({ isAdmin }) => isAdmin,
        view: DefaultSettingsPage,
      },
      {
        id: 'realm',
        title: settings.realm,
        icon: 'settings',
        isFor: ({ isAdmin }) => isAdmin,
        view: RealmSettingsPage,
      },
    ],
  },
];
