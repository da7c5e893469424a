import { ConfirmButton } from '../../controls/dialog-button.tsx';
import { TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { textOf } from '../../text/text-of.ts';
import { ListPage } from '../frame/list-page.tsx';
import type { PageProps } from '../page.ts';
import { strings } from './strings.ts';

/** The code playgrounds, which administrators add and remove. */
export function PlaygroundsPage(props: PageProps) {
  const { account, state, rights } = props;
  const { playgrounds } = account.client;
  const add = (fields: FormData) =>
    playgrounds.add({
      name: textOf(fields.get('name')),
      highlighter_language: textOf(fields.get('language')),
      url_template: textOf(fields.get('template')),
    });
  return (
    <ListPage
      {...props}
      add={
        rights.isAdmin && {
          label: strings.newPlayground,
          dialog: (close) => (
            <FormDialog
              title={strings.newPlayground}
              action={strings.add}
              send={add}
              onClose={close}
            >
              <TextField label={strings.name} name="name" maxLength={100} required />
              <TextField
                label={strings.language}
                hint={strings.languageHint}
                name="language"
                maxLength={40}
                required
              />
              <TextField
                label={strings.codeTemplate}
                hint={strings.codeTemplateHint}
                isCode
                name="template"
                maxLength={2000}
                required
              />
            </FormDialog>
          ),
        }
      }
      rows={state.realm_playgrounds ?? []}
      keyOf={({ id }) => id}
      columns={[
        { title: strings.name, cell: ({ name }) => name },
        { title: strings.language, cell: ({ highlighter_language }) => highlighter_language },
        {
          title: strings.codeTemplate,
          isWide: true,
          cell: ({ url_template }) => <code>{url_template}</code>,
        },
      ]}
      actions={
        rights.isAdmin &&
        (({ id, name }) => (
          <span class="row">
            <ConfirmButton
              kind="icon"
              icon="trash"
              label={strings.remove}
              title={strings.removePlaygroundTitle(name)}
              run={() => playgrounds.remove({ playground_id: id })}
            >
              {strings.removePlaygroundText}
            </ConfirmButton>
          </span>
        ))
      }
    />
  );
}
