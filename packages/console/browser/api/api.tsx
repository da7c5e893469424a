import { useMemo } from 'preact/hooks';

import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { useResource } from '../loading/use-resource.ts';
import { go, href, path } from '../navigation/location.ts';
import type { PartProps } from '../parts/part.ts';
import { Boundary } from '../shell/boundary.tsx';
import { usePaletteItems } from '../shell/palette-items.ts';
import { Loading } from '../shell/part-view.tsx';
import { Workspace } from '../shell/workspace.tsx';

import './api.css';
import { ApiOverview } from './api-overview.tsx';
import { openapiDocument } from './openapi-document.ts';
import { OperationList, OVERVIEW } from './operation-list.tsx';
import { OperationView } from './operation-view.tsx';
import { operationsOf } from './operations.ts';

/** The operations of the API as the server documents them, readable and runnable. */
export function Api({ account }: PartProps) {
  const { value: document, error, refresh } = useResource(openapiDocument);
  const operations = useMemo(() => (document ? operationsOf(document) : []), [document]);
  usePaletteItems(
    () =>
      operations.map(({ id, about }) => ({
        title: `${about.summary} (${id})`,
        kind: 'Operation',
        icon: 'code',
        run: () => go(href(['api', id])),
      })),
    [operations],
  );
  if (error !== undefined) return <ErrorNotice error={error} onRetry={refresh} />;
  if (!document) return <Loading />;
  const shown = path.value[1];
  const operation = operations.find(({ id }) => id === shown);
  return (
    <Workspace
      listLabel="Operations"
      list={<OperationList operations={operations} shown={shown} />}
      narrow={shown === undefined ? 'list' : 'main'}
      main={
        operation ? (
          <Boundary key={operation.id}>
            <OperationView account={account} operation={operation} />
          </Boundary>
        ) : shown === undefined || shown === OVERVIEW ? (
          <Boundary key={OVERVIEW}>
            <ApiOverview account={account} operations={operations} />
          </Boundary>
        ) : (
          <Empty icon="code" title="Operation not found">
            <p>This server has no operation with the name {shown}.</p>
            <a class="button" href={href(['api'])}>
              All operations
            </a>
          </Empty>
        )
      }
    />
  );
}
