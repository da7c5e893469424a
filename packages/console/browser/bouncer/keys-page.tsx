import type { OperatedKey } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { ConfirmDialog } from '../controls/confirm-dialog.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { toast } from '../controls/toasts.tsx';
import { keyColumns } from './columns.tsx';
import { type Column, DataTable } from './data-table.tsx';
import type { OperatorClient } from './operator-client.ts';
import { strings } from './strings.ts';
import { usePolled } from './use-polled.ts';

/** The key ring: makes key pairs, and retires those that the apps no longer use. */
export function KeysPage({ client }: { client: OperatorClient }) {
  const { value, error, refresh } = usePolled(client.keys.list, [client]);
  const isMaking = useSignal(false);
  const retiring = useSignal<OperatedKey | undefined>(undefined);
  const columns: readonly Column<OperatedKey>[] = [
    ...keyColumns,
    {
      head: strings.actions,
      cell: (key) =>
        key.state === 'older' && (
          <Button onClick={() => (retiring.value = key)}>{strings.retire}</Button>
        ),
    },
  ];
  const asked = retiring.value;
  return (
    <>
      <ErrorNotice error={error.value} />
      <div class="actions">
        <Button icon="plus" onClick={() => (isMaking.value = true)}>
          {strings.makeKey}
        </Button>
      </div>
      <DataTable
        label={strings.names.keys}
        columns={columns}
        rows={value.value?.keys}
        keyOf={({ public_key }) => public_key}
        empty={strings.empty.keys}
      />
      {isMaking.value && (
        <ConfirmDialog
          title={strings.makeKeyTitle}
          action={strings.makeKey}
          icon="plus"
          kind="primary"
          run={async () => {
            await client.keys.create();
            toast(strings.keyMade);
            refresh();
          }}
          onClose={() => (isMaking.value = false)}
        >
          {strings.makeKeyText}
        </ConfirmDialog>
      )}
      {asked && (
        <ConfirmDialog
          title={strings.retireTitle(asked.public_key.slice(0, 8))}
          action={asked.can_retire ? strings.retire : strings.retireNevertheless}
          run={async () => {
            const { public_key, can_retire } = asked;
            await client.keys.retire({ public_key, force: !can_retire });
            refresh();
          }}
          onClose={() => (retiring.value = undefined)}
        >
          <b>{asked.verdict}</b>. {strings.retireText}
        </ConfirmDialog>
      )}
    </>
  );
}
