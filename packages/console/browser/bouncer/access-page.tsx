import { ConfirmButton, DialogButton } from '../controls/dialog-button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { BanDialog } from './ban-dialog.tsx';
import { banColumns, invitationColumns } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import { InviteServerDialog } from './invite-server-dialog.tsx';
import type { OperatorClient } from './operator-client.ts';
import { strings } from './strings.ts';
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
        <h3 class="grow">{strings.bans}</h3>
        <DialogButton icon="plus" label={strings.ban}>
          {(close) => <BanDialog client={client} onClose={closing(close)} />}
        </DialogButton>
      </div>
      <DataTable
        label={strings.bans}
        columns={[
          ...banColumns,
          {
            title: strings.actions,
            cell: ({ subject }) => (
              <ConfirmButton
                label={strings.unban}
                title={strings.unbanTitle(subject)}
                actionKind="primary"
                run={() => client.access.unban({ subject }).then(refresh)}
              >
                {strings.unbanText}
              </ConfirmButton>
            ),
          },
        ]}
        rows={value?.bans}
        keyOf={({ subject }) => subject}
        empty={strings.empty.bans}
      />
      <div class="row">
        <h3 class="grow">{strings.invitations}</h3>
        <DialogButton icon="plus" label={strings.invite}>
          {(close) => <InviteServerDialog client={client} onClose={closing(close)} />}
        </DialogButton>
      </div>
      <DataTable
        label={strings.invitations}
        columns={[
          ...invitationColumns,
          {
            title: strings.actions,
            cell: ({ number }) => (
              <ConfirmButton
                label={strings.revoke}
                title={strings.revokeTitle(number)}
                run={() => client.access.revoke({ number }).then(refresh)}
              >
                {strings.revokeText}
              </ConfirmButton>
            ),
          },
        ]}
        rows={value?.invitations}
        keyOf={({ number }) => String(number)}
        empty={strings.empty.invitations}
      />
    </>
  );
}
