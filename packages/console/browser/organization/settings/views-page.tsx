import type { NavigationView } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button, IconButton } from '../../controls/button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { useAction } from '../../controls/use-action.ts';
import type { LiveAccount } from '../../live/live-account.ts';
import { textOf } from '../../text/text-of.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { Table } from '../frame/table.tsx';
import type { PageProps } from '../page.ts';
import { strings } from './strings.ts';

/** The views of one's own menu. */
export function ViewsPage({ account, state }: PageProps) {
  const isAdding = useSignal(false);
  const { error, isBusy, run } = useAction();
  const { navigationViews } = account.client;
  const views = state.navigation_views ?? [];
  return (
    <PageFrame
      title={strings.views}
      text={strings.viewsText}
      actions={
        <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>
          {strings.newView}
        </Button>
      }
      empty={
        views.length === 0 && { icon: 'link', title: strings.noViews, text: strings.noViewsText }
      }
    >
      <ErrorNotice error={error.value} />
      {views.length > 0 && (
        <Table
          label={strings.views}
          rows={views}
          idOf={({ fragment }) => fragment}
          columns={[
            {
              title: strings.viewName,
              cell: ({ name }) => name ?? <span class="muted">{strings.builtIn}</span>,
            },
            {
              title: strings.viewFragment,
              isWide: true,
              cell: ({ fragment }) => <code>{fragment}</code>,
            },
            {
              title: strings.pinned,
              cell: ({ fragment, name, is_pinned }: NavigationView) => (
                <input
                  type="checkbox"
                  aria-label={`${strings.pinned}: ${name ?? fragment}`}
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
                label={strings.removeView(name ?? fragment)}
                disabled={isBusy.value}
                onClick={() => run(navigationViews.remove({ fragment }))}
              />
            </span>
          )}
        />
      )}
      {isAdding.value && (
        <NewViewDialog account={account} onClose={() => (isAdding.value = false)} />
      )}
    </PageFrame>
  );
}

interface NewViewProps {
  readonly account: LiveAccount;
  readonly onClose: () => void;
}

function NewViewDialog({ account, onClose }: NewViewProps) {
  const add = (fields: FormData) => {
    const name = textOf(fields.get('name')).trim();
    return account.client.navigationViews.add({
      fragment: textOf(fields.get('fragment')).replace(/^#/, ''),
      is_pinned: fields.get('pinned') !== null,
      ...(name === '' ? {} : { name }),
    });
  };
  return (
    <FormDialog
      title={strings.newView}
      action={strings.add}
      send={add}
      onSent={onClose}
      onClose={onClose}
    >
      <label class="field">
        {strings.viewFragment}
        <input class="input mono" name="fragment" maxLength={1000} required />
      </label>
      <label class="field">
        {strings.viewName}
        <input class="input" name="name" maxLength={100} />
      </label>
      <label class="org-check">
        <input type="checkbox" name="pinned" defaultChecked />
        {strings.pinned}
      </label>
    </FormDialog>
  );
}
