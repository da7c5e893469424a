import type { Invite } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button, IconButton } from '../../controls/button.tsx';
import { ConfirmDialog } from '../../controls/confirm-dialog.tsx';
import { CopyButton } from '../../controls/copy-button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { Pill } from '../../controls/pill.tsx';
import { Time } from '../../controls/time.tsx';
import { toast, toastError } from '../../controls/toasts.tsx';
import { PageFrame } from '../frame/page-frame.tsx';
import { Table } from '../frame/table.tsx';
import { useFetched } from '../frame/use-fetched.ts';
import type { PageProps } from '../page.ts';
import { roleNames, strings } from '../strings.ts';
import { InviteDialog } from './invite-dialog.tsx';

/** Open invitations, by e-mail and by link. */
export function InvitationsPage(props: PageProps) {
  const { account, state, rights } = props;
  const { invites } = account.client;
  const found = useFetched(account, () => invites.list(), ['invites_changed']);
  const isInviting = useSignal(false);
  const revoking = useSignal<Invite | undefined>(undefined);
  const mayInvite = rights.may('can_invite_users_group');
  const mayLink = rights.may('create_multiuse_invite_group');
  const open = () => (isInviting.value = true);
  const resend = ({ id, ...invite }: Invite) =>
    invites
      .resend({ invite_id: id })
      .then(() => toast(strings.resent(invite.is_multiuse ? '' : invite.email)), toastError);
  const revoke = ({ id, is_multiuse }: Invite) =>
    (is_multiuse ? invites.revokeLink : invites.revoke)({ invite_id: id });
  const all = found.value?.invites;
  const inviteButton = (mayInvite || mayLink) && (
    <Button kind="primary" icon="user-plus" onClick={open}>
      {strings.invite}
    </Button>
  );
  return (
    <PageFrame
      title={strings.invitations}
      text={mayInvite || mayLink ? strings.invitationsText : strings.notAllowedToInvite}
      actions={inviteButton}
      empty={
        all?.length === 0 && {
          icon: 'user-plus',
          title: strings.noInvitations,
          text: strings.noInvitationsText,
        }
      }
    >
      <ErrorNotice error={found.error} onRetry={found.again} />
      {all && all.length > 0 && (
        <Table
          label={strings.invitations}
          rows={all}
          idOf={({ id, is_multiuse }) => `${is_multiuse ? 'link' : 'mail'}-${id}`}
          columns={[
            {
              title: strings.whom,
              cell: (invite) => (invite.is_multiuse ? strings.reusable : invite.email),
            },
            {
              title: strings.invitedAs,
              cell: ({ invited_as }) => <Pill>{roleNames[invited_as]}</Pill>,
            },
            {
              title: strings.invitedBy,
              isWide: true,
              cell: ({ invited_by_user_id: by }) =>
                state.realm_users?.find(({ user_id }) => user_id === by)?.full_name,
            },
            {
              title: strings.expires,
              isWide: true,
              cell: ({ expiry_date }) =>
                expiry_date === null ? strings.never : <Time seconds={expiry_date} />,
            },
          ]}
          actions={(invite) => (
            <span class="row">
              {invite.is_multiuse ? (
                <CopyButton text={invite.link_url} label={strings.copyLink} />
              ) : (
                <IconButton
                  icon="refresh-cw"
                  label={strings.resend}
                  onClick={() => void resend(invite)}
                />
              )}
              <IconButton
                icon="trash"
                label={strings.revoke}
                onClick={() => (revoking.value = invite)}
              />
            </span>
          )}
        />
      )}
      {isInviting.value && (
        <InviteDialog
          {...props}
          mayInvite={mayInvite}
          mayLink={mayLink}
          onClose={() => {
            isInviting.value = false;
            found.again();
          }}
        />
      )}
      {revoking.value && (
        <ConfirmDialog
          title={strings.revokeTitle}
          action={strings.revoke}
          icon="trash"
          run={() => revoke(revoking.value as Invite)}
          onClose={() => {
            revoking.value = undefined;
            found.again();
          }}
        >
          {strings.revokeText}
        </ConfirmDialog>
      )}
    </PageFrame>
  );
}
