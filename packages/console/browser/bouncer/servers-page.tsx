import type { OperatedServer } from '@bellhop/protocol';

import { Button } from '../controls/button.tsx';
import { ConfirmButton } from '../controls/dialog-button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Time } from '../controls/time.tsx';
import { useAction } from '../controls/use-action.ts';
import type { Column } from '../list/table.tsx';
import { href } from '../navigation/location.ts';
import { Id, State } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import type { OperatorClient } from './operator-client.ts';
import { usePolled } from './use-polled.ts';

/** The chat servers, with buttons that deactivate and activate them. */
export function ServersPage({ client }: { client: OperatorClient }) {
  const { value, error, refresh } = usePolled(() => client.servers.list(), [client]);
  const activation = useAction();
  const setActive = async ({ server_uuid }: OperatedServer, active: boolean) => {
    await client.servers.setActive({ server: server_uuid, active });
    await refresh();
  };
  const columns: readonly Column<OperatedServer>[] = [
    { title: 'Hostname', cell: ({ hostname }) => hostname },
    { title: 'Server', cell: ({ server_uuid }) => <Id text={server_uuid} /> },
    { title: 'State', cell: ({ state }) => <State name={state} /> },
    { title: 'Realms', cell: ({ realms }) => realms, isNumber: true },
    { title: 'Devices', cell: ({ devices }) => devices, isNumber: true },
    { title: 'Version', cell: ({ version }) => version ?? '-' },
    { title: 'Contact', cell: ({ contact_email }) => contact_email },
    { title: 'Since', cell: ({ created_ms }) => <Time seconds={created_ms / 1000} /> },
    {
      title: 'Actions',
      cell: (server) =>
        server.state === 'deactivated' ? (
          <Button
            isBusy={activation.isBusy.value}
            onClick={() => activation.run(setActive(server, true))}
          >
            Activate
          </Button>
        ) : (
          <ConfirmButton
            label="Deactivate"
            title={`Deactivate ${server.hostname}?`}
            run={() => setActive(server, false)}
          >
            The bouncer will reject the server and its notifications until you activate it again.
          </ConfirmButton>
        ),
    },
  ];
  return (
    <>
      <ErrorNotice error={error ?? activation.error.value} />
      <DataTable
        label="Chat servers"
        columns={columns}
        rows={value?.servers}
        keyOf={({ server_uuid }) => server_uuid}
        empty="Chat servers appear here when they register."
        fill={
          <a class="button" href={href(['bouncer', 'access'])}>
            Invite a server
          </a>
        }
      />
    </>
  );
}
