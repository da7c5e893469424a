import type { OperatedServer } from '@bellhop/protocol';

import { Button } from '../controls/button.tsx';
import { ConfirmButton } from '../controls/dialog-button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Time } from '../controls/time.tsx';
import { href } from '../navigation/location.ts';
import { Id, State } from './columns.tsx';
import { type Column, DataTable } from './data-table.tsx';
import type { OperatorClient } from './operator-client.ts';
import { strings } from './strings.ts';
import { usePolled } from './use-polled.ts';

/** The chat servers, with buttons that deactivate and activate them. */
export function ServersPage({ client }: { client: OperatorClient }) {
  const { value, error, refresh } = usePolled(client.servers.list, [client]);
  const setActive = async ({ server_uuid }: OperatedServer, active: boolean) => {
    await client.servers.setActive({ server: server_uuid, active });
    refresh();
  };
  const columns: readonly Column<OperatedServer>[] = [
    { head: strings.host, cell: ({ hostname }) => hostname },
    { head: strings.server, cell: ({ server_uuid }) => <Id text={server_uuid} /> },
    { head: strings.state, cell: ({ state }) => <State name={state} /> },
    { head: strings.realms, cell: ({ realms }) => realms, isNumber: true },
    { head: strings.devices, cell: ({ devices }) => devices, isNumber: true },
    { head: strings.version, cell: ({ version }) => version ?? '-' },
    { head: strings.contact, cell: ({ contact_email }) => contact_email },
    { head: strings.since, cell: ({ created_ms }) => <Time seconds={created_ms / 1000} /> },
    {
      head: strings.actions,
      cell: (server) =>
        server.state === 'deactivated' ? (
          <Button
            onClick={() => {
              setActive(server, true).catch((problem: unknown) => (error.value = problem));
            }}
          >
            {strings.activate}
          </Button>
        ) : (
          <ConfirmButton
            label={strings.deactivate}
            title={strings.deactivateTitle(server.hostname)}
            run={() => setActive(server, false)}
          >
            {strings.deactivateText}
          </ConfirmButton>
        ),
    },
  ];
  return (
    <>
      <ErrorNotice error={error.value} />
      <DataTable
        label={strings.names.servers}
        columns={columns}
        rows={value.value?.servers}
        keyOf={({ server_uuid }) => server_uuid}
        empty={strings.empty.servers}
        fill={
          <a class="button" href={href(['bouncer', 'access'])}>
            {strings.invite}
          </a>
        }
      />
    </>
  );
}
