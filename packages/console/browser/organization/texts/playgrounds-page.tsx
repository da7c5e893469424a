import type { Playground } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button, IconButton } from '../../controls/button.tsx';
import { ConfirmDialog } from '../../controls/confirm-dialog.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { textOf } from '../../text/text-of.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { Table } from '../frame/table.tsx';
import type { PageProps } from '../page.ts';
import { strings } from './strings.ts';

/** The code playgrounds, which administrators add and remove. */
export function PlaygroundsPage({ account, state, rights }: PageProps) {
  const isAdding = useSignal(false);
  const removing = useSignal<Playground | undefined>(undefined);
  const all = state.realm_playgrounds ?? [];
  const removed = removing.value;
  return (
    <PageFrame
      title={strings.playgrounds}
      text={strings.playgroundsText}
      actions={
        rights.isAdmin && (
          <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>
            {strings.newPlayground}
          </Button>
        )
      }
      empty={
        all.length === 0 && {
          icon: 'play',
          title: strings.noPlaygrounds,
          text: strings.noPlaygroundsText,
        }
      }
    >
      {all.length > 0 && (
        <Table
          label={strings.playgrounds}
          rows={all}
          idOf={({ id }) => id}
          columns={[
            { title: strings.name, cell: ({ name }) => name },
            { title: strings.language, cell: ({ highlighter_language }) => highlighter_language },
            {
              title: strings.codeTemplate,
              isWide: true,
              cell: ({ url_template }) => <code>{url_template}</code>,
            },
          ]}
          {...(rights.isAdmin
            ? {
                actions: (playground: Playground) => (
                  <span class="row">
                    <IconButton
                      icon="trash"
                      label={strings.remove}
                      onClick={() => (removing.value = playground)}
                    />
                  </span>
                ),
              }
            : {})}
        />
      )}
      {isAdding.value && (
        <NewPlaygroundDialog account={account} onClose={() => (isAdding.value = false)} />
      )}
      {removed && (
        <ConfirmDialog
          title={strings.removePlaygroundTitle(removed.name)}
          action={strings.remove}
          icon="trash"
          run={() => account.client.playgrounds.remove({ playground_id: removed.id })}
          onClose={() => (removing.value = undefined)}
        >
          {strings.removePlaygroundText}
        </ConfirmDialog>
      )}
    </PageFrame>
  );
}

interface NewPlaygroundProps {
  readonly account: LiveAccount;
  readonly onClose: () => void;
}

function NewPlaygroundDialog({ account, onClose }: NewPlaygroundProps) {
  const add = (fields: FormData) =>
    account.client.playgrounds.add({
      name: textOf(fields.get('name')),
      highlighter_language: textOf(fields.get('language')),
      url_template: textOf(fields.get('template')),
    });
  return (
    <FormDialog
      title={strings.newPlayground}
      action={strings.add}
      send={add}
      onSent={onClose}
      onClose={onClose}
    >
      <label class="field">
        {strings.name}
        <input class="input" name="name" maxLength={100} required />
      </label>
      <label class="field">
        {strings.language}
        <input class="input" name="language" maxLength={40} required />
        <small>{strings.languageHint}</small>
      </label>
      <label class="field">
        {strings.codeTemplate}
        <input class="input mono" name="template" maxLength={2000} required />
        <small>{strings.codeTemplateHint}</small>
      </label>
    </FormDialog>
  );
}
