import type { OperatedDevice } from '@bellhop/protocol';

import { Button } from '../controls/button.tsx';
import { ConfirmButton, DialogButton } from '../controls/dialog-button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Time } from '../controls/time.tsx';
import type { Column } from '../list/table.tsx';
import { query, setQuery } from '../navigation/location.ts';
import { Id, State } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import type { PageProps } from './page-props.ts';
import { TestDeviceDialog } from './test-device-dialog.tsx';
import { usePolled } from './use-polled.ts';

const PAGE_SIZE = 200;

const stateOf = ({ dead_since_ms, quarantined_until_ms }: OperatedDevice) => {
  if (dead_since_ms !== null) return 'dead';
  return (quarantined_until_ms ?? 0) > Date.now() ? 'quarantined' : 'active';
};

/**
 * The registered devices, of one chat server if the address names it, with buttons that test and delete one.
 * The address has the page, too: a link to the devices of a server leads to their first page.
 */
export function DevicesPage({ client }: Pick<PageProps, 'client'>) {
  const { server: server_uuid, after = '0' } = query.value;
  const { value, error, refresh } = usePolled(
    () =>
      client.devices.list({
        after: Number(after),
        limit: PAGE_SIZE,
        ...(server_uuid === undefined ? {} : { server_uuid }),
      }),
    [client, after, server_uuid],
  );
  const columns: readonly Column<OperatedDevice>[] = [
    { title: 'Device', cell: ({ device_id }) => device_id, isNumber: true },
    { title: 'State', cell: (device) => <State name={stateOf(device)} /> },
    { title: 'Provider', cell: ({ token_kind }) => token_kind },
    {
      title: 'App',
      cell: ({ ios_app_id, android_app_id }) =>
        [ios_app_id, android_app_id].filter((id) => id !== null).join(' ') || '-',
    },
    {
      title: 'Push account',
      cell: ({ push_account_id: id }) => (id === null ? '-' : <Id text={id} />),
    },
    { title: 'Token ID', cell: ({ token_id: id }) => (id === null ? '-' : <Id text={id} />) },
    { title: 'Realm', cell: ({ realm_uuid }) => <Id text={realm_uuid} /> },
    { title: 'Token hash', cell: ({ token_hash }) => <Id text={token_hash} /> },
    { title: 'Key', cell: ({ bouncer_public_key }) => <Id text={bouncer_public_key} /> },
    { title: 'Registered', cell: ({ registered_ms }) => <Time seconds={registered_ms / 1000} /> },
    {
      title: 'Actions',
      cell: ({ device_id }) => (
        <span class="row">
          <DialogButton label="Send test">
            {(close) => <TestDeviceDialog client={client} device_id={device_id} onClose={close} />}
          </DialogButton>
          <ConfirmButton
            label="Delete"
            title={`Delete device ${device_id}?`}
            run={() => client.devices.delete({ device_id }).then(refresh)}
          >
            Everything stored about it is deleted, including notifications waiting for it. The phone
            can register again.
          </ConfirmButton>
        </span>
      ),
    },
  ];
  const devices = value?.devices;
  return (
    <>
      <ErrorNotice error={error} />
      {server_uuid !== undefined && (
        <p class="row">
          <span class="grow">
            Devices of server <Id text={server_uuid} />
          </span>
          <Button onClick={() => setQuery({ server: undefined, after: undefined })}>
            Show all devices
          </Button>
        </p>
      )}
      <DataTable
        label="Devices"
        columns={columns}
        rows={devices}
        keyOf={({ device_id }) => device_id}
        empty="Devices appear here when they register through a chat server."
      />
      <p class="row">
        {after !== '0' && (
          <Button onClick={() => setQuery({ after: undefined })}>First page</Button>
        )}
        {devices?.length === PAGE_SIZE && (
          <Button onClick={() => setQuery({ after: devices.at(-1)?.device_id.toString() })}>
            Next page
          </Button>
        )}
      </p>
    </>
  );
}
