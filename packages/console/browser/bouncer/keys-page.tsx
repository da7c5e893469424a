import type { OperatedKey } from '@bellhop/protocol';

import { ConfirmButton } from '../controls/dialog-button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { toast } from '../controls/toasts.tsx';
import type { Column } from '../list/table.tsx';
import { keyColumns } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import type { OperatorClient } from './operator-client.ts';
import { strings } from './strings.ts';
import { usePolled } from './use-polled.ts';

/** The key ring: makes key pairs, and retires those that the apps no longer use. */
export function KeysPage({ client }: { client: OperatorClient }) {
  const { value, error, refresh } = usePolled(() => client.keys.list(), [client]);
  const columns: readonly Column<OperatedKey>[] = [
    ...keyColumns,
    {
      title: strings.actions,
      cell: ({ public_key, state, can_retire, verdict }) =>
        state === 'older' && (
          <ConfirmButton
            label={strings.retire}
            title={strings.retireTitle(public_key.slice(0, 8))}
            action={can_retire ? strings.retire : strings.retireNevertheless}
            run={() => client.keys.retire({ public_key, force: !can_retire }).then(refresh)}
          >
            <b>{verdict}</b>. {strings.retireText}
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
          label={strings.makeKey}
          title={strings.makeKeyTitle}
          actionKind="primary"
          run={async () => {
            await client.keys.create();
            toast(strings.keyMade);
            await refresh();
          }}
        >
          {strings.makeKeyText}
        </ConfirmButton>
      </div>
      <DataTable
        label={strings.names.keys}
        columns={columns}
        rows={value?.keys}
        keyOf={({ public_key }) => public_key}
        empty={strings.empty.keys}
      />
    </>
  );
}
