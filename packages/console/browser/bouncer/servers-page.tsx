import type { OperatedServer } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { ConfirmDialog } from '../controls/confirm-dialog.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Time } from '../controls/time.tsx';
import { href } from '../navigation/location.ts';
import { Id, State } from './columns.tsx';
import { type Column, DataTable } from './data-table.tsx';
import type { OperatorClient } from './operator-client.ts';
import { strings } from './strings.ts';
import { usePolled } from './use-polled.ts';

/** The chat servers, which one deactivates and activates again. */
export function ServersPage({ client }: { client: OperatorClient }) {
  const { value, error, refresh } = usePolled(client.servers.list, [client]);
  const closing = useSignal<OperatedServer | undefined>(undefined);
  const setActive = async ({ server_uuid }: OperatedServer, active: boolean) => {
    await client.servers.setActive({ server_uuid, active });
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
          <Button onClick={() => (closing.value = server)}>{strings.deactivate}</Button>
        ),
    },
  ];
  const asked = closing.value;
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
      {asked && (
        <ConfirmDialog
          title={strings.deactivateTitle(asked.hostname)}
          action={strings.deactivate}
          run={() => setActive(asked, false)}
          onClose={() => (closing.value = undefined)}
        >
          {strings.deactivateText}
        </ConfirmDialog>
      )}
    </>
  );
}
