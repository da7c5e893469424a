import { ConfirmButton, DialogButton } from '../controls/dialog-button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { BanDialog } from './ban-dialog.tsx';
import { banColumns, invitationColumns } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import { InviteServerDialog } from './invite-server-dialog.tsx';
import type { OperatorClient } from './operator-client.ts';
import { usePolled } from './use-polled.ts';

/** The bans, and the invitations that have not been used. */
export function AccessPage({ client }: { client: OperatorClient }) {
  const { value, error, refresh } = usePolled(() => client.access.list(), [client]);
  const closing = (close: () => void) => () => {
    close();
    void refresh();
  };
  return (
    <>
      <ErrorNotice error={error} />
      <div class="row">
        <h3 class="grow">Bans</h3>
        <DialogButton icon="plus" label="Ban a server">
          {(close) => <BanDialog client={client} onClose={closing(close)} />}
        </DialogButton>
      </div>
      <DataTable
        label="Bans"
        columns={[
          ...banColumns,
          {
            title: 'Actions',
            cell: ({ subject }) => (
              <ConfirmButton
                label="Unban"
                title={`Unban ${subject}?`}
                actionKind="primary"
                run={() => client.access.unban({ subject }).then(refresh)}
              >
                It can register and send requests again immediately.
              </ConfirmButton>
            ),
          },
        ]}
        rows={value?.bans}
        keyOf={({ subject }) => subject}
        empty="Ban a server to reject its requests. Its data is kept."
      />
      <div class="row">
        <h3 class="grow">Open invitations</h3>
        <DialogButton icon="plus" label="Invite a server">
          {(close) => <InviteServerDialog client={client} onClose={closing(close)} />}
        </DialogButton>
      </div>
      <DataTable
        label="Open invitations"
        columns={[
          ...invitationColumns,
          {
            title: 'Actions',
            cell: ({ number }) => (
              <ConfirmButton
                label="Revoke"
                title={`Revoke invitation ${number}?`}
                run={() => client.access.revoke({ number }).then(refresh)}
              >
                It can no longer be used to register.
              </ConfirmButton>
            ),
          },
        ]}
        rows={value?.invitations}
        keyOf={({ number }) => String(number)}
        empty="Servers that cannot register on their own need an invitation."
      />
    </>
  );
}
