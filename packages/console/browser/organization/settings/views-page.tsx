import { IconButton } from '../../controls/button.tsx';
import { TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { useAction } from '../../controls/use-action.ts';
import { textOf } from '../../text/text-of.ts';
import { CheckField } from '../frame/check-list.tsx';
import { ListPage } from '../frame/list-page.tsx';
import type { PageProps } from '../page.ts';

/** The views of one's own menu. */
export function ViewsPage(props: PageProps) {
  const { account, state } = props;
  const { error, isBusy, run } = useAction();
  const { navigationViews } = account.client;
  const add = (fields: FormData) => {
    const name = textOf(fields.get('name')).trim();
    return navigationViews.add({
      fragment: textOf(fields.get('fragment')).replace(/^#/, ''),
      is_pinned: fields.get('pinned') !== null,
      ...(name === '' ? {} : { name }),
    });
  };
  return (
    <ListPage
      {...props}
      add={{
        label: 'Add view',
        dialog: (close) => (
          <FormDialog title="Add view" action="Add" send={add} onClose={close}>
            <TextField
              label="URL fragment (after the #)"
              isCode
              name="fragment"
              maxLength={1000}
              required
            />
            <TextField label="Name" name="name" maxLength={100} />
            <CheckField label="Pinned to menu" name="pinned" defaultChecked />
          </FormDialog>
        ),
      }}
      error={error.value}
      rows={state.navigation_views ?? []}
      keyOf={({ fragment }) => fragment}
      columns={[
        {
          title: 'Name',
          cell: ({ name }) => name ?? <span class="muted">built-in</span>,
        },
        {
          title: 'URL fragment (after the #)',
          isWide: true,
          cell: ({ fragment }) => <code>{fragment}</code>,
        },
        {
          title: 'Pinned to menu',
          cell: ({ fragment, name, is_pinned }) => (
            <input
              type="checkbox"
              aria-label={`Pinned to menu: ${name ?? fragment}`}
              checked={is_pinned}
              disabled={isBusy.value}
              onChange={() => run(navigationViews.update({ fragment, is_pinned: !is_pinned }))}
            />
          ),
        },
      ]}
      actions={({ fragment, name }) => (
        <span class="row">
          <IconButton
            icon="trash"
            label={`Remove ${name ?? fragment}`}
            disabled={isBusy.value}
            onClick={() => run(navigationViews.remove({ fragment }))}
          />
        </span>
      )}
    />
  );
}
