import type { OperatedKey } from '@bellhop/protocol';

import { ConfirmButton } from '../controls/dialog-button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { toast } from '../controls/toasts.tsx';
import type { Column } from '../list/table.tsx';
import { keyColumns } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import type { OperatorClient } from './operator-client.ts';
import { usePolled } from './use-polled.ts';

/** The key ring: makes key pairs, and retires those that the apps no longer use. */
export function KeysPage({ client }: { client: OperatorClient }) {
  const { value, error, refresh } = usePolled(() => client.keys.list(), [client]);
  const columns: readonly Column<OperatedKey>[] = [
    ...keyColumns,
    {
      title: 'Actions',
      cell: ({ public_key, state, kept_in, can_retire, verdict }) =>
        state === 'older' && (
          <ConfirmButton
            label="Retire"
            title={`Retire key ${public_key.slice(0, 8)}…?`}
            action={can_retire ? 'Retire' : 'Retire anyway'}
            run={() => client.keys.retire({ public_key, force: !can_retire }).then(refresh)}
          >
            <b>{verdict}</b>.{' '}
            {kept_in === 'environment'
              ? 'Its private part stays in BELLHOP_BOUNCER_KEYS until you take it out there.'
              : 'Its private part is deleted.'}{' '}
            Phones whose app uses this key can no longer register. Phones that are already
            registered keep receiving notifications.
          </ConfirmButton>
        ),
    },
  ];
  return (
    <>
      <ErrorNotice error={error} />
      <div class="actions">
        <ConfirmButton
          icon="plus"
          label="Create key"
          title="Create a new key?"
          actionKind="primary"
          run={async () => {
            await client.keys.create();
            toast('Key created. It can be used within two seconds.');
            await refresh();
          }}
        >
          Ship its public part with the next release of your apps. Older keys keep working until you
          retire them.
        </ConfirmButton>
      </div>
      <DataTable
        label="Key ring"
        columns={columns}
        rows={value?.keys}
        keyOf={({ public_key }) => public_key}
        empty="Phones cannot register until there is a key pair."
      />
    </>
  );
}
