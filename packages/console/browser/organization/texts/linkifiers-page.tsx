import { useAction } from '../../controls/use-action.ts';
import { ListPage } from '../frame/list-page.tsx';
import { MoveButtons } from '../frame/move-buttons.tsx';
import { hrefOf } from '../go-to.ts';
import type { PageProps } from '../page.ts';
import { NEW } from './new-item.ts';

/** The linkifiers in the order in which they are applied, which administrators change. */
export function LinkifiersPage(props: PageProps) {
  const { account, state, rights } = props;
  const action = useAction();
  const all = state.realm_linkifiers ?? [];
  return (
    <ListPage
      {...props}
      opens={rights.isAdmin}
      link={
        rights.isAdmin && (
          <a class="button primary" href={hrefOf('linkifiers', NEW)}>
            New linkifier
          </a>
        )
      }
      error={action.error.value}
      rows={all}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Pattern', cell: ({ pattern }) => <code>{pattern}</code> },
        {
          title: 'URL template',
          isWide: true,
          cell: ({ url_template }) => <code>{url_template}</code>,
        },
      ]}
      actions={
        rights.isAdmin &&
        ((linkifier) => (
          <MoveButtons
            row={linkifier}
            rows={all}
            all={all}
            action={action}
            reorder={(ordered_linkifier_ids) =>
              account.client.linkifiers.reorder({ ordered_linkifier_ids })
            }
          />
        ))
      }
    />
  );
}
