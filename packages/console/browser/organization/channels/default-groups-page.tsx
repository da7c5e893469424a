import { TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { textOf } from '../../text/text-of.ts';
import { ListPage } from '../frame/list-page.tsx';
import type { PageProps } from '../page.ts';
import { strings } from './strings.ts';

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
          label: strings.newDefaultGroup,
          dialog: (close) => (
            <FormDialog
              title={strings.newDefaultGroup}
              action={strings.create}
              send={create}
              onClose={close}
            >
              <TextField label={strings.name} name="name" maxLength={60} required />
              <TextField label={strings.description} name="description" maxLength={1024} required />
            </FormDialog>
          ),
        }
      }
      rows={state.realm_default_stream_groups ?? []}
      keyOf={({ id }) => id}
      columns={[
        { title: strings.name, cell: ({ name }) => name },
        { title: strings.description, isWide: true, cell: ({ description }) => description },
        { title: strings.channelsIn, cell: ({ streams }) => streams.length },
      ]}
    />
  );
}
