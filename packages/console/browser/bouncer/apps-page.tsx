import { ErrorNotice } from '../controls/error-notice.tsx';
import { href } from '../navigation/location.ts';
import { appColumns } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import type { PageProps } from './page-props.ts';
import { usePolled } from './use-polled.ts';

/** The apps with the state of their credentials. */
export function AppsPage({ client, isSandbox }: PageProps) {
  const { value, error } = usePolled(() => client.apps.list(), [client]);
  return (
    <>
      <ErrorNotice error={error} />
      <DataTable
        label="Apps and credentials"
        columns={appColumns}
        rows={value?.apps}
        keyOf={({ provider, app }) => `${provider} ${app}`}
        empty="Apps appear here when a phone with the app registers."
        fill={
          isSandbox && (
            <a class="button primary" href={href(['phones'])}>
              Add a phone
            </a>
          )
        }
      />
    </>
  );
}
