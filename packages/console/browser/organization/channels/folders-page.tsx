import { TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { useAction } from '../../controls/use-action.ts';
import { textOf } from '../../text/text-of.ts';
import { ListPage } from '../frame/list-page.tsx';
import { MoveButtons } from '../frame/move-buttons.tsx';
import { ShowChoice, shows } from '../frame/show-choice.tsx';
import type { PageProps } from '../page.ts';
import { channelsOf } from './channels-of.ts';

/** The channel folders in their order, which administrators change. */
export function FoldersPage(props: PageProps) {
  const { account, state, rights } = props;
  const { channelFolders } = account.client;
  const action = useAction();
  const all = (state.channel_folders ?? []).toSorted((a, b) => a.order - b.order);
  const folders = all.filter(({ is_archived }) => is_archived === shows('archived'));
  const create = (fields: FormData) =>
    channelFolders.create({
      name: textOf(fields.get('name')),
      description: textOf(fields.get('description')),
    });
  return (
    <ListPage
      {...props}
      add={
        rights.isAdmin && {
          label: 'New folder',
          dialog: (close) => (
            <FormDialog title="New folder" action="Create" send={create} onClose={close}>
              <TextField label="Name" name="name" maxLength={60} required />
              <TextField label="Description" name="description" maxLength={1024} />
            </FormDialog>
          ),
        }
      }
      tools={<ShowChoice label="Which folders" other="archived" />}
      error={action.error.value}
      rows={folders}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Description', isWide: true, cell: ({ description }) => description },
        {
          title: 'Channels',
          cell: ({ id }) => channelsOf(state).filter(({ folder_id }) => folder_id === id).length,
          isNumber: true,
        },
      ]}
      actions={
        rights.isAdmin &&
        ((folder) => (
          <MoveButtons
            row={folder}
            rows={folders}
            all={all}
            action={action}
            reorder={(order) => channelFolders.reorder({ order })}
          />
        ))
      }
    />
  );
}
