import type { ComponentType } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import { ErrorNotice } from '../controls/error-notice.tsx';
import * as columns from './columns.tsx';
import { type Column, DataTable } from './data-table.tsx';
import type { OperatorClient } from './operator-client.ts';
import { Overview } from './overview.tsx';
import { QueuePage } from './queue-page.tsx';
import { ServersPage } from './servers-page.tsx';
import { strings } from './strings.ts';
import { usePolled } from './use-polled.ts';

export interface PageProps {
  readonly client: OperatorClient;
}
export interface OperatorPage {
  readonly id: Exclude<keyof typeof strings.names, 'faults'>;
  readonly icon: IconName;
  readonly view: ComponentType<PageProps>;
}

/** The pages of the operator. A page is a line here. */
export const pages: readonly OperatorPage[] = [
  { id: 'overview', icon: 'chart-no-axes-column', view: Overview },
  { id: 'servers', icon: 'building', view: ServersPage },
  {
    id: 'apps',
    icon: 'smartphone',
    view: ({ client }) => (
      <Fetched
        fetchIt={async () => (await client.apps.list()).apps}
        columns={columns.appColumns}
        label={strings.names.apps}
        keyOf={({ provider, app }) => `${provider} ${app}`}
      />
    ),
  },
  {
    id: 'keys',
    icon: 'lock',
    view: ({ client }) => (
      <Fetched
        fetchIt={async () => (await client.keys.list()).keys}
        columns={columns.keyColumns}
        label={strings.names.keys}
        keyOf={({ public_key }) => public_key}
      />
    ),
  },
  { id: 'queue', icon: 'clock', view: QueuePage },
  {
    id: 'pushes',
    icon: 'bell',
    view: ({ client }) => (
      <Fetched
        fetchIt={async () => (await client.pushes.list()).pushes}
        columns={columns.pushColumns}
        label={strings.names.pushes}
        keyOf={({ push_id }) => push_id}
        empty={strings.empty.pushes}
      />
    ),
  },
  {
    id: 'feedback',
    icon: 'inbox',
    view: ({ client }) => (
      <Fetched
        fetchIt={async () => (await client.feedback.list()).entries}
        columns={columns.feedbackColumns}
        label={strings.names.feedback}
        keyOf={({ push_id }) => push_id}
        empty={strings.empty.feedback}
      />
    ),
  },
  {
    id: 'access',
    icon: 'user-plus',
    view: ({ client }) => (
      <>
        <h3>{strings.bans}</h3>
        <Fetched
          fetchIt={async () => (await client.access.list()).bans}
          columns={columns.banColumns}
          label={strings.bans}
          keyOf={({ subject }) => subject}
          empty={strings.empty.bans}
        />
        <h3>{strings.invitations}</h3>
        <Fetched
          fetchIt={async () => (await client.access.list()).invitations}
          columns={columns.invitationColumns}
          label={strings.invitations}
          keyOf={({ number }) => String(number)}
          empty={strings.empty.invitations}
        />
      </>
    ),
  },
  {
    id: 'audit',
    icon: 'list-todo',
    view: ({ client }) => (
      <Fetched
        fetchIt={async () => (await client.audit.list()).entries}
        columns={columns.auditColumns}
        label={strings.names.audit}
        keyOf={({ number }) => String(number)}
        empty={strings.empty.audit}
      />
    ),
  },
];

interface FetchedProps<T> {
  readonly fetchIt: () => Promise<readonly T[]>;
  readonly columns: readonly Column<T>[];
  readonly label: string;
  readonly keyOf: (row: T) => string;
  readonly empty?: string;
}

/** A table that is fetched again every few seconds. */
function Fetched<T>({ fetchIt, empty = '', ...table }: FetchedProps<T>) {
  const { value, error } = usePolled(fetchIt, []);
  return (
    <>
      <ErrorNotice error={error.value} />
      <DataTable {...table} rows={value.value} empty={empty} />
    </>
  );
}
