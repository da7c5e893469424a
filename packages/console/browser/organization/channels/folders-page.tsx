import type { ChannelFolder } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { useAction } from '../../controls/use-action.ts';
import type { LiveAccount } from '../../live/live-account.ts';
import { textOf } from '../../text/text-of.ts';
import { MoveButtons } from '../frame/move-buttons.tsx';
import { PageFrame } from '../frame/page-frame.tsx';
import { ShowChoice, shows } from '../frame/show-choice.tsx';
import { Table } from '../frame/table.tsx';
import type { PageProps } from '../page.ts';
import { channelsOf } from './channels-of.ts';
import { strings } from './strings.ts';

/** The channel folders in their order, which administrators change. */
export function FoldersPage({ account, state, rights, item }: PageProps) {
  const isCreating = useSignal(false);
  const action = useAction();
  const all = (state.channel_folders ?? []).toSorted((a, b) => a.order - b.order);
  const folders = all.filter(({ is_archived }) => is_archived === shows('archived'));
  const countOf = (folder: ChannelFolder) =>
    channelsOf(state).filter(({ folder_id }) => folder_id === folder.id).length;
  return (
    <PageFrame
      title={strings.folders}
      text={strings.foldersText}
      actions={
        rights.isAdmin && (
          <Button kind="primary" icon="plus" onClick={() => (isCreating.value = true)}>
            {strings.newFolder}
          </Button>
        )
      }
      empty={
        folders.length === 0 && {
          icon: 'folder',
          title: strings.noFolders,
          text: strings.noFoldersText,
        }
      }
    >
      <div class="row org-tools">
        <ShowChoice label={strings.whichFolders} other="archived" />
      </div>
      <ErrorNotice error={action.error.value} />
      {folders.length > 0 && (
        <Table
          label={strings.folders}
          page="folders"
          open={item}
          rows={folders}
          idOf={({ id }) => id}
          columns={[
            { title: strings.name, cell: ({ name }) => name },
            { title: strings.description, isWide: true, cell: ({ description }) => description },
            { title: strings.channelsIn, cell: countOf },
          ]}
          {...(rights.isAdmin
            ? {
                actions: (folder: ChannelFolder) => (
                  <MoveButtons
                    row={folder}
                    rows={folders}
                    all={all}
                    action={action}
                    reorder={(order) => account.client.channelFolders.reorder({ order })}
                  />
                ),
              }
            : {})}
        />
      )}
      {isCreating.value && (
        <NewFolderDialog account={account} onClose={() => (isCreating.value = false)} />
      )}
    </PageFrame>
  );
}

interface NewFolderProps {
  readonly account: LiveAccount;
  readonly onClose: () => void;
}

function NewFolderDialog({ account, onClose }: NewFolderProps) {
  const create = (fields: FormData) =>
    account.client.channelFolders.create({
      name: textOf(fields.get('name')),
      description: textOf(fields.get('description')),
    });
  return (
    <FormDialog
      title={strings.newFolder}
      action={strings.create}
      send={create}
      onSent={onClose}
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
    </FormDialog>
  );
}
