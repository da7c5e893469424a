import type { Invite } from '@bellhop/protocol';

import { IconButton } from '../../controls/button.tsx';
import { CopyButton } from '../../controls/copy-button.tsx';
import { ConfirmButton } from '../../controls/dialog-button.tsx';
import { Pill } from '../../controls/pill.tsx';
import { Time } from '../../controls/time.tsx';
import { toast, toastError } from '../../controls/toasts.tsx';
import { useResource } from '../../loading/use-resource.ts';
import { ListPage } from '../frame/list-page.tsx';
import type { PageProps } from '../page.ts';
import { roleNames } from '../role-names.ts';
import { InviteDialog } from './invite-dialog.tsx';

/** Open invitations, by e-mail and by link. */
export function InvitationsPage(props: PageProps) {
  const { page, account, state, rights } = props;
  const { invites } = account.client;
  const found = useResource(() => invites.list(), [], {
    account,
    on: ({ type }) => type === 'invites_changed',
  });
  const mayInvite = rights.may('can_invite_users_group');
  const mayLink = rights.may('create_multiuse_invite_group');
  const resend = ({ id, ...invite }: Invite) =>
    invites
      .resend({ invite_id: id })
      .then(
        () => toast(`Invitation resent to ${invite.is_multiuse ? '' : invite.email}.`),
        toastError,
      );
  const revoke = ({ id, is_multiuse }: Invite) =>
    (is_multiuse ? invites.revokeLink : invites.revoke)({ invite_id: id });
  const text =
    mayInvite || mayLink
      ? page.words.text
      : 'You do not have permission to invite people. Ask an administrator.';
  return (
    <ListPage
      {...props}
      page={{ ...page, words: { ...page.words, text } }}
      add={
        (mayInvite || mayLink) && {
          label: 'Invite people',
          icon: 'user-plus',
          dialog: (close) => (
            <InviteDialog
              {...props}
              mayInvite={mayInvite}
              mayLink={mayLink}
              onClose={() => {
                close();
                void found.refresh();
              }}
            />
          ),
        }
      }
      error={found.error}
      onRetry={found.refresh}
      rows={found.value?.invites}
      keyOf={({ id, is_multiuse }) => `${is_multiuse ? 'link' : 'mail'}-${id}`}
      columns={[
        {
          title: 'Invitee',
          cell: (invite) => (invite.is_multiuse ? 'Reusable link' : invite.email),
        },
        {
          title: 'Role',
          cell: ({ invited_as }) => <Pill>{roleNames[invited_as]}</Pill>,
        },
        {
          title: 'Invited by',
          isWide: true,
          cell: ({ invited_by_user_id: by }) =>
            state.realm_users?.find(({ user_id }) => user_id === by)?.full_name,
        },
        {
          title: 'Expires',
          isWide: true,
          cell: ({ expiry_date }) =>
            expiry_date === null ? 'never' : <Time seconds={expiry_date} />,
        },
      ]}
      actions={(invite) => (
        <span class="row">
          {invite.is_multiuse ? (
            <CopyButton text={invite.link_url} label="Copy link" />
          ) : (
            <IconButton icon="refresh-cw" label="Resend" onClick={() => void resend(invite)} />
          )}
          <ConfirmButton
            kind="icon"
            icon="trash"
            label="Revoke"
            title="Revoke invitation?"
            run={() => revoke(invite)}
            onClose={() => void found.refresh()}
          >
            Its link will stop working.
          </ConfirmButton>
        </span>
      )}
    />
  );
}
