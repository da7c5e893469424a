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
import { strings } from './strings.ts';
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
    { title: strings.host, cell: ({ hostname }) => hostname },
    { title: strings.server, cell: ({ server_uuid }) => <Id text={server_uuid} /> },
    { title: strings.state, cell: ({ state }) => <State name={state} /> },
    { title: strings.realms, cell: ({ realms }) => realms, isNumber: true },
    { title: strings.devices, cell: ({ devices }) => devices, isNumber: true },
    { title: strings.version, cell: ({ version }) => version ?? '-' },
    { title: strings.contact, cell: ({ contact_email }) => contact_email },
    { title: strings.since, cell: ({ created_ms }) => <Time seconds={created_ms / 1000} /> },
    {
      title: strings.actions,
      cell: (server) =>
        server.state === 'deactivated' ? (
          <Button
            isBusy={activation.isBusy.value}
            onClick={() => activation.run(setActive(server, true))}
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
      <ErrorNotice error={error ?? activation.error.value} />
      <DataTable
        label={strings.names.servers}
        columns={columns}
        rows={value?.servers}
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
