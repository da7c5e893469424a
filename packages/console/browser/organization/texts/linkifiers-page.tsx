import type { Linkifier } from '@bellhop/protocol';

import { IconButton } from '../../controls/button.tsx';
import { Empty } from '../../controls/empty.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { Table } from '../frame/table.tsx';
import { hrefOf } from '../go-to.ts';
import type { PageProps } from '../page.ts';
import { NEW } from './new-item.ts';
import { strings } from './strings.ts';

/** The linkifiers in the order in which they are applied, which administrators change. */
export function LinkifiersPage({ account, state, rights, item }: PageProps) {
  const { error, isBusy, run } = useAction();
  const all = state.realm_linkifiers ?? [];
  const move = (linkifier: Linkifier, by: 1 | -1) => {
    const from = all.indexOf(linkifier);
    const ordered_linkifier_ids = all.map(({ id }) => id);
    ordered_linkifier_ids.splice(from + by, 0, ...ordered_linkifier_ids.splice(from, 1));
    run(account.client.linkifiers.reorder({ ordered_linkifier_ids }));
  };
  const moveButton = (linkifier: Linkifier, by: 1 | -1) => (
    <IconButton
      icon={by === 1 ? 'arrow-down' : 'arrow-up'}
      label={by === 1 ? strings.down : strings.up}
      disabled={isBusy.value || linkifier === (by === 1 ? all.at(-1) : all[0])}
      onClick={() => move(linkifier, by)}
    />
  );
  return (
    <PageFrame
      title={strings.linkifiers}
      text={strings.linkifiersText}
      actions={
        rights.isAdmin && (
          <a class="button primary" href={hrefOf('linkifiers', NEW)}>
            {strings.newLinkifier}
          </a>
        )
      }
    >
      <ErrorNotice error={error.value} />
      {all.length === 0 ? (
        <Empty icon="link" title={strings.noLinkifiers}>
          <p>{strings.noLinkifiersText}</p>
        </Empty>
      ) : (
        <Table
          label={strings.linkifiers}
          {...(rights.isAdmin ? { page: 'linkifiers' } : {})}
          open={item}
          rows={all}
          idOf={({ id }) => id}
          columns={[
            { title: strings.pattern, cell: ({ pattern }) => <code>{pattern}</code> },
            {
              title: strings.template,
              isWide: true,
              cell: ({ url_template }) => <code>{url_template}</code>,
            },
          ]}
          {...(rights.isAdmin
            ? {
                actions: (linkifier: Linkifier) => (
                  <span class="row">
                    {moveButton(linkifier, -1)}
                    {moveButton(linkifier, 1)}
                  </span>
                ),
              }
            : {})}
        />
      )}
    </PageFrame>
  );
}
