import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { ConfirmDialog } from '../controls/confirm-dialog.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { BanDialog } from './ban-dialog.tsx';
import { type Ban, banColumns, type Invitation, invitationColumns } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import { InviteServerDialog } from './invite-server-dialog.tsx';
import type { OperatorClient } from './operator-client.ts';
import { strings } from './strings.ts';
import { usePolled } from './use-polled.ts';

/** The bans, and the invitations that have not been used. */
export function AccessPage({ client }: { client: OperatorClient }) {
  const { value, error, refresh } = usePolled(client.access.list, [client]);
  const open = useSignal<'ban' | 'invite' | undefined>(undefined);
  const lifted = useSignal<Ban | undefined>(undefined);
  const revoked = useSignal<Invitation | undefined>(undefined);
  const close = () => {
    open.value = undefined;
    refresh();
  };
  const ban = lifted.value;
  const invitation = revoked.value;
  return (
    <>
      <ErrorNotice error={error.value} />
      <div class="row">
        <h3 class="grow">{strings.bans}</h3>
        <Button icon="plus" onClick={() => (open.value = 'ban')}>
          {strings.ban}
        </Button>
      </div>
      <DataTable
        label={strings.bans}
        columns={[
          ...banColumns,
          {
            head: strings.actions,
            cell: (one) => <Button onClick={() => (lifted.value = one)}>{strings.unban}</Button>,
          },
        ]}
        rows={value.value?.bans}
        keyOf={({ subject }) => subject}
        empty={strings.empty.bans}
      />
      <div class="row">
        <h3 class="grow">{strings.invitations}</h3>
        <Button icon="plus" onClick={() => (open.value = 'invite')}>
          {strings.invite}
        </Button>
      </div>
      <DataTable
        label={strings.invitations}
        columns={[
          ...invitationColumns,
          {
            head: strings.actions,
            cell: (one) => <Button onClick={() => (revoked.value = one)}>{strings.revoke}</Button>,
          },
        ]}
        rows={value.value?.invitations}
        keyOf={({ number }) => String(number)}
        empty={strings.empty.invitations}
      />
      {open.value === 'ban' && <BanDialog client={client} onClose={close} />}
      {open.value === 'invite' && <InviteServerDialog client={client} onClose={close} />}
      {ban && (
        <ConfirmDialog
          title={strings.unbanTitle(ban.subject)}
          action={strings.unban}
          kind="primary"
          run={async () => {
            await client.access.unban({ subject: ban.subject });
            refresh();
          }}
          onClose={() => (lifted.value = undefined)}
        >
          {strings.unbanText}
        </ConfirmDialog>
      )}
      {invitation && (
        <ConfirmDialog
          title={strings.revokeTitle(invitation.number)}
          action={strings.revoke}
          run={async () => {
            await client.access.revoke({ number: invitation.number });
            refresh();
          }}
          onClose={() => (revoked.value = undefined)}
        >
          {strings.revokeText}
        </ConfirmDialog>
      )}
    </>
  );
}
