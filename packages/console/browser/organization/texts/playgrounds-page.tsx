import { ConfirmButton } from '../../controls/dialog-button.tsx';
import { TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { textOf } from '../../text/text-of.ts';
import { ListPage } from '../frame/list-page.tsx';
import type { PageProps } from '../page.ts';

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
          label: 'New playground',
          dialog: (close) => (
            <FormDialog title="New playground" action="Add" send={add} onClose={close}>
              <TextField label="Name" name="name" maxLength={100} required />
              <TextField
                label="Language"
                hint="The name used after the backticks of a code block, such as python"
                name="language"
                maxLength={40}
                required
              />
              <TextField
                label="URL template"
                hint="Use {code} where the code goes"
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
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Language', cell: ({ highlighter_language }) => highlighter_language },
        {
          title: 'URL template',
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
              label="Remove"
              title={`Remove ${name}?`}
              run={() => playgrounds.remove({ playground_id: id })}
            >
              It will no longer be offered on code blocks.
            </ConfirmButton>
          </span>
        ))
      }
    />
  );
}
