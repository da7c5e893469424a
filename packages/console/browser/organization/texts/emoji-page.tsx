import type { RealmEmoji } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button, IconButton } from '../../controls/button.tsx';
import { ConfirmDialog } from '../../controls/confirm-dialog.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { textOf } from '../../text/text-of.ts';
import { FilterField, matchesFilter } from '../frame/filter-field.tsx';
import { IMAGE_TYPES } from '../frame/image-types.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { ShowChoice, shows } from '../frame/show-choice.tsx';
import { Table } from '../frame/table.tsx';
import type { PageProps } from '../page.ts';
import { strings } from './strings.ts';

/** The custom emoji: people upload them, and their authors and administrators deactivate them. */
export function EmojiPage({ account, state, rights }: PageProps) {
  const isAdding = useSignal(false);
  const removing = useSignal<RealmEmoji | undefined>(undefined);
  const people = new Map(state.realm_users?.map(({ user_id, full_name }) => [user_id, full_name]));
  const all = Object.values(state.realm_emoji ?? {})
    .filter(({ name, deactivated }) => deactivated === shows('deactivated') && matchesFilter(name))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const removed = removing.value;
  const removeButton = (emoji: RealmEmoji) =>
    !emoji.deactivated &&
    (rights.isAdmin || emoji.author_id === account.user_id) && (
      <IconButton
        icon="trash"
        label={strings.deactivateEmoji(emoji.name)}
        onClick={() => (removing.value = emoji)}
      />
    );
  return (
    <PageFrame
      title={strings.emoji}
      text={strings.emojiText}
      actions={
        rights.may('can_add_custom_emoji_group') &&
        !rights.isGuest && (
          <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>
            {strings.newEmoji}
          </Button>
        )
      }
      empty={
        all.length === 0 && {
          icon: 'face-slightly-smiling-plus',
          title: strings.noEmoji,
          text: strings.noEmojiText,
        }
      }
    >
      <div class="row org-tools">
        <FilterField label={strings.filterEmoji} />
        <ShowChoice label={strings.whichEmoji} other="deactivated" />
      </div>
      {all.length > 0 && (
        <Table
          label={strings.emoji}
          rows={all}
          idOf={({ id }) => id}
          columns={[
            {
              title: strings.name,
              cell: ({ name, source_url, still_url }) => (
                <span class="row">
                  <img class="org-emoji" src={still_url ?? source_url} alt="" loading="lazy" />
                  <code class="clip">:{name}:</code>
                </span>
              ),
            },
            {
              title: strings.emojiAuthor,
              cell: ({ author_id }) => people.get(author_id) ?? strings.someone,
            },
          ]}
          actions={removeButton}
        />
      )}
      {isAdding.value && (
        <NewEmojiDialog account={account} onClose={() => (isAdding.value = false)} />
      )}
      {removed && (
        <ConfirmDialog
          title={strings.deactivateEmojiTitle(removed.name)}
          action={strings.deactivate}
          icon="trash"
          run={() => account.client.realmEmoji.remove({ emoji_name: removed.name })}
          onClose={() => (removing.value = undefined)}
        >
          {strings.deactivateEmojiText}
        </ConfirmDialog>
      )}
    </PageFrame>
  );
}

interface NewEmojiProps {
  readonly account: LiveAccount;
  readonly onClose: () => void;
}

function NewEmojiDialog({ account, onClose }: NewEmojiProps) {
  const upload = async (fields: FormData) => {
    const file = fields.get('file');
    const emoji_name = textOf(fields.get('name')).trim();
    if (file instanceof File) await account.client.realmEmoji.upload({ emoji_name }, { file });
  };
  return (
    <FormDialog
      title={strings.newEmoji}
      action={strings.upload}
      send={upload}
      onSent={onClose}
      onClose={onClose}
    >
      <label class="field">
        {strings.image}
        <input class="input" type="file" name="file" accept={IMAGE_TYPES} required />
        <small>{strings.imageHint}</small>
      </label>
      <label class="field">
        {strings.name}
        <input class="input mono" name="name" maxLength={100} required autocomplete="off" />
        <small>{strings.emojiNameHint}</small>
      </label>
    </FormDialog>
  );
}
