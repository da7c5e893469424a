import { TokenKind } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { ConfirmDialog } from '../controls/confirm-dialog.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Tabs } from '../controls/tabs.tsx';
import { toast } from '../controls/toasts.tsx';
import { FilterField } from '../list/filter-field.tsx';
import { parseFilter } from '../list/filter-text.ts';
import { href, query, setQuery } from '../navigation/location.ts';
import { queueColumns } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import type { PageProps } from './page-props.ts';
import { strings } from './strings.ts';
import { usePolled } from './use-polled.ts';

const filterKeys = { provider: TokenKind.options };

/** Notifications that wait for their next attempt or were given up, which one sends again. */
export function QueuePage({ client, isSandbox }: PageProps) {
  const state = query.value['queue'] === 'ended' ? 'ended' : 'waiting';
  const { terms } = parseFilter(query.value['filter'] ?? '', Object.keys(filterKeys));
  // The bouncer refuses other providers.
  const asked = { state, ...(terms as { provider?: TokenKind }) } as const;
  const { value, error, refresh } = usePolled(
    () => client.queue.list({ ...asked, limit: 200 }),
    [client, state, terms['provider']],
  );
  const isAsking = useSignal(false);
  const rows = value.value?.notifications;
  const send = async () => {
    const { count } = await client.queue.replay(asked);
    toast(strings.sent(count));
    refresh();
  };
  return (
    <>
      <ErrorNotice error={error.value} />
      <Tabs
        label={strings.names.queue}
        tabs={strings.queueStates}
        chosen={state}
        onChoose={(next) => setQuery({ queue: next === 'ended' ? next : undefined })}
      >
        <div class="row">
          <FilterField keys={filterKeys} placeholder={strings.filterPlaceholder(filterKeys)} />
          {rows && rows.length > 0 && (
            <Button icon="play" onClick={() => (isAsking.value = true)}>
              {strings.sendAll}
            </Button>
          )}
        </div>
        <DataTable
          label={strings.names.queue}
          columns={queueColumns}
          rows={rows}
          keyOf={({ push_id }) => push_id}
          empty={strings.empty[state]}
          fill={
            isSandbox &&
            state === 'waiting' && (
              <a class="button" href={href(['bouncer', 'faults'])}>
                {strings.switchFault}
              </a>
            )
          }
        />
      </Tabs>
      {isAsking.value && (
        <ConfirmDialog
          title={strings.sendTitle}
          action={strings.sendAll}
          icon="play"
          kind="primary"
          run={send}
          onClose={() => (isAsking.value = false)}
        >
          {strings.sendText(rows?.length ?? 0)}
        </ConfirmDialog>
      )}
    </>
  );
}
