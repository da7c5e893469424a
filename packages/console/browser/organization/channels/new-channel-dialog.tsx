import type { ChannelFolderId, UserId } from '@bellhop/protocol';

import { FormDialog } from '../../controls/form-dialog.tsx';
import { textOf } from '../../text/text-of.ts';
import { CheckList, idsOf } from '../frame/check-list.tsx';
import { peopleOf } from '../frame/people.ts';
import { goTo } from '../go-to.ts';
import type { PageProps } from '../page.ts';
import { strings } from './strings.ts';

type NewChannelProps = Pick<PageProps, 'account' | 'state' | 'rights'> & {
  readonly onClose: () => void;
};

export function NewChannelDialog({ account, state, rights, onClose }: NewChannelProps) {
  const folders = (state.channel_folders ?? []).filter(({ is_archived }) => !is_archived);
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
      title={strings.newChannel}
      action={strings.create}
      send={create}
      onSent={({ id }) => {
        onClose();
        goTo('channels', id);
      }}
      onClose={onClose}
    >
      <label class="field">
        {strings.name}
        <input class="input" name="name" maxLength={60} required />
      </label>
      <label class="field">
        {strings.description}
        <input class="input" name="description" maxLength={1024} />
      </label>
      <div class="org-columns">
        <label class="field">
          {strings.privacy}
          <select class="input" name="privacy">
            {rights.may('can_create_public_channel_group') && (
              <option value="public">{strings.public}</option>
            )}
            {rights.may('can_create_private_channel_group') && (
              <option value="private">{strings.private}</option>
            )}
          </select>
        </label>
        {folders.length > 0 && (
          <label class="field">
            {strings.folder}
            <select class="input" name="folder">
              <option value="">{strings.noFolder}</option>
              {folders.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <CheckList
        legend={strings.subscribers}
        name="subscriber"
        options={peopleOf(state)}
        chosen={[account.user_id]}
      />
      {rights.isAdmin && (
        <label class="org-check">
          <input type="checkbox" name="default" />
          {strings.isDefault}
        </label>
      )}
    </FormDialog>
  );
}
