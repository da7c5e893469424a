import type { OperatedServer } from '@bellhop/protocol';

import { Button } from '../controls/button.tsx';
import { ConfirmButton, DialogButton } from '../controls/dialog-button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Time } from '../controls/time.tsx';
import { useAction } from '../controls/use-action.ts';
import type { Column } from '../list/table.tsx';
import { href } from '../navigation/location.ts';
import { Id, State } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import { exportServer } from './export-server.ts';
import type { OperatorClient } from './operator-client.ts';
import { ServerDialog } from './server-dialog.tsx';
import { usePolled } from './use-polled.ts';

/** The chat servers, with buttons for what an operator does with one. */
export function ServersPage({ client }: { client: OperatorClient }) {
  const { value, error, refresh } = usePolled(() => client.servers.list(), [client]);
  const action = useAction();
  const setActive = async ({ server_uuid }: OperatedServer, active: boolean) => {
    await client.servers.setActive({ server: server_uuid, active });
    await refresh();
  };
  const columns: readonly Column<OperatedServer>[] = [
    { title: 'Hostname', cell: ({ hostname }) => hostname },
    { title: 'Server', cell: ({ server_uuid }) => <Id text={server_uuid} /> },
    { title: 'State', cell: ({ state }) => <State name={state} /> },
    { title: 'Realms', cell: ({ realms }) => realms, isNumber: true },
    {
      title: 'Devices',
      cell: ({ devices, server_uuid }) => (
        <a href={href(['bouncer', 'devices'], { server: server_uuid })}>{devices}</a>
      ),
      isNumber: true,
    },
    { title: 'Version', cell: ({ version }) => version ?? '-' },
    { title: 'Contact', cell: ({ contact_email }) => contact_email },
    { title: 'Since', cell: ({ created_ms }) => <Time seconds={created_ms / 1000} /> },
    {
      title: 'Actions',
      cell: (server) => {
        const { server_uuid, hostname, state } = server;
        return (
          <span class="row">
            <DialogButton label="Realms and quotas">
              {(close) => (
                <ServerDialog
                  client={client}
                  server={server_uuid}
                  hostname={hostname}
                  onClose={() => {
                    close();
                    void refresh();
                  }}
                />
              )}
            </DialogButton>
            <Button
              isBusy={action.isBusy.value}
              onClick={() => action.run(exportServer(client, { server: server_uuid, hostname }))}
            >
              Export
            </Button>
            {state === 'deactivated' ? (
              <Button
                isBusy={action.isBusy.value}
                onClick={() => action.run(setActive(server, true))}
              >
                Activate
              </Button>
            ) : (
              <ConfirmButton
                label="Deactivate"
                title={`Deactivate ${hostname}?`}
                run={() => setActive(server, false)}
              >
                The bouncer will reject the server and its notifications until you activate it
                again.
              </ConfirmButton>
            )}
            <ConfirmButton
              label="Delete"
              title={`Delete ${hostname}?`}
              run={() => client.servers.delete({ server: server_uuid }).then(refresh)}
            >
              Its realms, their devices and everything stored about them are deleted. A server that
              may register can do so again: ban it first to prevent that.
            </ConfirmButton>
          </span>
        );
      },
    },
  ];
  return (
    <>
      <ErrorNotice error={error ?? action.error.value} />
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
