import { TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { textOf } from '../../text/text-of.ts';
import { ListPage } from '../frame/list-page.tsx';
import type { PageProps } from '../page.ts';

/** The default channel groups, of which new users choose some. */
export function DefaultGroupsPage(props: PageProps) {
  const { account, state, rights } = props;
  const create = (fields: FormData) =>
    account.client.defaultChannelGroups.create({
      group_name: textOf(fields.get('name')),
      description: textOf(fields.get('description')),
      stream_names: [],
    });
  return (
    <ListPage
      {...props}
      add={
        rights.isAdmin && {
          label: 'New group',
          dialog: (close) => (
            <FormDialog title="New group" action="Create" send={create} onClose={close}>
              <TextField label="Name" name="name" maxLength={60} required />
              <TextField label="Description" name="description" maxLength={1024} required />
            </FormDialog>
          ),
        }
      }
      rows={state.realm_default_stream_groups ?? []}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Description', isWide: true, cell: ({ description }) => description },
        { title: 'Channels', cell: ({ streams }) => streams.length, isNumber: true },
      ]}
    />
  );
}
