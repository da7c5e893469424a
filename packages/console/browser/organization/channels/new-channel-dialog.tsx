import type { ChannelFolderId, UserId } from '@bellhop/protocol';

import { SelectField, TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { textOf } from '../../text/text-of.ts';
import { CheckField, CheckList, idsOf } from '../frame/check-list.tsx';
import { peopleOf } from '../frame/people.ts';
import type { PageProps } from '../page.ts';

import '../organization.css';

const privacyNames = { public: 'Public', private: 'Private' };

interface NewChannelProps extends Pick<PageProps, 'account' | 'state' | 'rights'> {
  readonly onClose: () => void;
  readonly onCreated: (stream_id: number) => void;
}

export function NewChannelDialog(props: NewChannelProps) {
  const { account, state, rights, onClose, onCreated } = props;
  const folders = (state.channel_folders ?? [])
    .filter(({ is_archived }) => !is_archived)
    .map(({ id, name }) => ({ value: id, label: name }));
  const privacies = (['public', 'private'] as const)
    .filter((value) => rights.may(`can_create_${value}_channel_group`))
    .map((value) => ({ value, label: privacyNames[value] }));
  const create = (fields: FormData) => {
    const folder = Number(fields.get('folder'));
    return account.client.channels.create({
      name: textOf(fields.get('name')),
      description: textOf(fields.get('description')),
      subscribers: idsOf(fields, 'subscriber') as UserId[],
      invite_only: fields.get('privacy') === 'private',
      is_default_stream: fields.get('default') !== null,
      ...(folder > 0 ? { folder_id: folder as ChannelFolderId } : {}),
    });
  };
  return (
    <FormDialog
      title="New channel"
      action="Create"
      send={create}
      onSent={({ id }) => {
        onClose();
        onCreated(id);
      }}
      onClose={onClose}
    >
      <TextField label="Name" name="name" maxLength={60} required />
      <TextField label="Description" name="description" maxLength={1024} />
      <div class="org-columns">
        <SelectField label="Who can access this channel" name="privacy" options={privacies} />
        {folders.length > 0 && (
          <SelectField
            label="Folder"
            name="folder"
            options={[{ value: '', label: 'No folder' }, ...folders]}
          />
        )}
      </div>
      <CheckList
        legend="Subscribers"
        name="subscriber"
        options={peopleOf(state)}
        chosen={[account.user_id]}
      />
      {rights.isAdmin && <CheckField label="Default channel for new users" name="default" />}
    </FormDialog>
  );
}
