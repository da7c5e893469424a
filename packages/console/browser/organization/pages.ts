import { ChannelPanel } from './channels/channel-panel.tsx';
import { ChannelsPage } from './channels/channels-page.tsx';
import { DefaultGroupPanel } from './channels/default-group-panel.tsx';
import { DefaultGroupsPage } from './channels/default-groups-page.tsx';
import { FolderPanel } from './channels/folder-panel.tsx';
import { FoldersPage } from './channels/folders-page.tsx';
import { GroupPanel } from './groups/group-panel.tsx';
import { GroupsPage } from './groups/groups-page.tsx';
import { InvitationsPage } from './invitations/invitations-page.tsx';
import { MailPanel } from './mails/mail-panel.tsx';
import { MailsPage } from './mails/mails-page.tsx';
import type { OrganizationPage } from './page.ts';
import { ProfileFieldsPage } from './people/profile-fields-page.tsx';
import { UserPanel } from './people/user-panel.tsx';
import { UsersPage } from './people/users-page.tsx';
import { RealmSettingsPage } from './settings/realm-settings-page.tsx';
import { DefaultSettingsPage, OwnSettingsPage } from './settings/user-settings-page.tsx';
import { ViewsPage } from './settings/views-page.tsx';
import { EmojiPage } from './texts/emoji-page.tsx';
import { LinkifierPanel } from './texts/linkifier-panel.tsx';
import { LinkifiersPage } from './texts/linkifiers-page.tsx';
import { PlaygroundsPage } from './texts/playgrounds-page.tsx';

interface PageGroup {
  readonly title: string;
  readonly pages: readonly OrganizationPage[];
}

/** The pages of the organization in the order of their list. */
export const pageGroups: readonly PageGroup[] = [
  {
    title: 'People',
    pages: [
      {
        id: 'users',
        words: {
          title: 'Users',
          text: 'Everyone with an account that you can see.',
          none: 'No users',
          noneText: 'People appear here once they have an account.',
          missing: 'This user does not exist, or you do not have access to them.',
        },
        icon: 'users',
        view: UsersPage,
        inspector: UserPanel,
      },
      {
        id: 'invitations',
        words: {
          title: 'Invitations',
          text: 'Invitations that have not been accepted yet. Links in emails can be used once.',
          none: 'No pending invitations',
          noneText: 'People you invite appear here until they accept.',
        },
        icon: 'user-plus',
        isFor: ({ isGuest }) => !isGuest,
        view: InvitationsPage,
      },
      {
        id: 'groups',
        words: {
          title: 'User groups',
          text: 'Use groups to mention several people at once and to assign permissions.',
          none: 'No user groups',
          noneText: 'Groups can be mentioned as @*name* and used in permissions.',
          missing: 'This group does not exist.',
        },
        icon: 'at-sign',
        view: GroupsPage,
        inspector: GroupPanel,
      },
      {
        id: 'profile-fields',
        words: {
          title: 'Custom profile fields',
          text: 'Additional information on user profiles, in this order.',
          none: 'No custom profile fields',
          noneText: 'Use fields for things like a team, a phone number or an external account.',
        },
        icon: 'user',
        view: ProfileFieldsPage,
      },
      {
        id: 'mails',
        words: {
          title: 'Emails',
          text: 'Emails that this server would have sent. Only owners of a sandbox can see them.',
          none: 'No emails yet',
          noneText:
            'Invite someone, and the email appears here a second later with a working link.',
        },
        icon: 'mail',
        isFor: ({ isOwner }) => isOwner,
        isOfSandbox: true,
        view: MailsPage,
        inspector: MailPanel,
      },
    ],
  },
  {
    title: 'Channels',
    pages: [
      {
        id: 'channels',
        words: {
          title: 'Channels',
          text: 'All channels that you can see, with their topics and permissions.',
          none: 'No channels',
          noneText: 'Create a channel to organize conversations into topics.',
          missing: 'This channel does not exist, or you do not have access to it.',
        },
        icon: 'hash',
        view: ChannelsPage,
        inspector: ChannelPanel,
      },
      {
        id: 'folders',
        words: {
          title: 'Channel folders',
          text: 'Folders group channels in the same way for everyone.',
          none: 'No channel folders',
          noneText: "Folders organize the channel list. Choose a folder in a channel's settings.",
          missing: 'This folder does not exist.',
        },
        icon: 'folder',
        view: FoldersPage,
        inspector: FolderPanel,
      },
      {
        id: 'default-groups',
        words: {
          title: 'Default channel groups',
          text: 'Sets of channels that new users can choose when they join.',
          none: 'No default channel groups',
          noneText:
            'Use a group to offer new users several public channels at once, in addition to the default channels.',
          missing: 'This group does not exist.',
        },
        icon: 'check-check',
        view: DefaultGroupsPage,
        inspector: DefaultGroupPanel,
      },
    ],
  },
  {
    title: 'Messages',
    pages: [
      {
        id: 'linkifiers',
        words: {
          title: 'Linkifiers',
          text: 'Turn text such as issue numbers into links. The first matching linkifier applies.',
          none: 'No linkifiers',
          noneText:
            'For example, the pattern #(?P<id>[0-9]+) links #123 in a message to its issue.',
          missing: 'This linkifier does not exist.',
        },
        icon: 'link',
        view: LinkifiersPage,
        inspector: LinkifierPanel,
      },
      {
        id: 'playgrounds',
        words: {
          title: 'Code playgrounds',
          text: 'External sites where people can run code blocks.',
          none: 'No code playgrounds',
          noneText: 'Playgrounds are offered on code blocks in their language.',
        },
        icon: 'play',
        view: PlaygroundsPage,
      },
      {
        id: 'emoji',
        words: {
          title: 'Custom emoji',
          text: 'Images that everyone can use as :name: in messages and reactions.',
          none: 'No custom emoji',
          noneText: 'Upload an image and give it a name.',
        },
        icon: 'face-slightly-smiling-plus',
        view: EmojiPage,
      },
    ],
  },
  {
    title: 'Settings',
    pages: [
      {
        id: 'settings',
        words: {
          title: 'Your settings',
          text: 'Your account and personal preferences. Changes are saved automatically.',
        },
        icon: 'user',
        view: OwnSettingsPage,
      },
      {
        id: 'views',
        words: {
          title: 'Navigation views',
          text: 'Views in your navigation menu, in all apps that support them.',
          none: 'No custom views',
          noneText: 'A view is the part of a URL after the #, such as narrow/is/mentioned.',
        },
        icon: 'route',
        view: ViewsPage,
      },
      {
        id: 'defaults',
        words: {
          title: 'Default settings for new users',
          text: 'These settings apply to new users. Existing users are not affected.',
        },
        icon: 'list-todo',
        isFor: ({ isAdmin }) => isAdmin,
        view: DefaultSettingsPage,
      },
      {
        id: 'realm',
        words: {
          title: 'Organization settings',
          text: 'These settings apply to everyone. Changes are saved automatically.',
        },
        icon: 'settings',
        isFor: ({ isAdmin }) => isAdmin,
        view: RealmSettingsPage,
      },
    ],
  },
];
