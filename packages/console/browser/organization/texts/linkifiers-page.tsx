import type { Linkifier } from '@bellhop/protocol';

import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
import { MoveButtons } from '../frame/move-buttons.tsx';
import { PageFrame } from '../frame/page-frame.tsx';
import { Table } from '../frame/table.tsx';
import { hrefOf } from '../go-to.ts';
import type { PageProps } from '../page.ts';
import { NEW } from './new-item.ts';
import { strings } from './strings.ts';

/** The linkifiers in the order in which they are applied, which administrators change. */
export function LinkifiersPage({ account, state, rights, item }: PageProps) {
  const action = useAction();
  const all = state.realm_linkifiers ?? [];
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
      empty={
        all.length === 0 && {
          icon: 'link',
          title: strings.noLinkifiers,
          text: strings.noLinkifiersText,
        }
      }
    >
      <ErrorNotice error={action.error.value} />
      {all.length > 0 && (
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
                  <MoveButtons
                    row={linkifier}
                    rows={all}
                    all={all}
                    action={action}
                    reorder={(ordered_linkifier_ids) =>
                      account.client.linkifiers.reorder({ ordered_linkifier_ids })
                    }
                  />
                ),
              }
            : {})}
        />
      )}
    </PageFrame>
  );
}
