import { ChannelPanel } from './channels/channel-panel.tsx';
import { ChannelsPage } from './channels/channels-page.tsx';
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
import { UserPanel } from './people/user-panel.tsx';
import { UsersPage } from './people/users-page.tsx';
import { strings } from './strings.ts';

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
    ],
  },
];
