import type { RealmEmoji } from '@bellhop/protocol';

import { ConfirmButton } from '../../controls/dialog-button.tsx';
import { TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { FilterField } from '../../list/filter-field.tsx';
import { matchesFilter } from '../../list/shown-filter.ts';
import { textOf } from '../../text/text-of.ts';
import { IMAGE_TYPES } from '../frame/image-types.ts';
import { ListPage } from '../frame/list-page.tsx';
import { ShowChoice, shows } from '../frame/show-choice.tsx';
import type { PageProps } from '../page.ts';

/** The custom emoji: people upload them, and their authors and administrators deactivate them. */
export function EmojiPage(props: PageProps) {
  const { account, state, rights } = props;
  const { realmEmoji } = account.client;
  const people = new Map(state.realm_users?.map(({ user_id, full_name }) => [user_id, full_name]));
  const upload = async (fields: FormData) => {
    const file = fields.get('file');
    const emoji_name = textOf(fields.get('name')).trim();
    if (file instanceof File) await realmEmoji.upload({ emoji_name }, { file });
  };
  const deactivateButton = ({ name, author_id, deactivated }: RealmEmoji) =>
    !deactivated &&
    (rights.isAdmin || author_id === account.user_id) && (
      <ConfirmButton
        kind="icon"
        icon="trash"
        label={`Deactivate :${name}:`}
        title={`Deactivate :${name}:?`}
        action="Deactivate"
        run={() => realmEmoji.remove({ emoji_name: name })}
      >
        Existing messages and reactions will still show it. Its name can be used again.
      </ConfirmButton>
    );
  return (
    <ListPage
      {...props}
      add={
        rights.may('can_add_custom_emoji_group') &&
        !rights.isGuest && {
          label: 'New emoji',
          dialog: (close) => (
            <FormDialog title="New emoji" action="Upload" send={upload} onClose={close}>
              <TextField
                label="Image"
                hint="PNG, JPEG, GIF or WebP, up to 5 MiB"
                type="file"
                name="file"
                accept={IMAGE_TYPES}
                required
              />
              <TextField
                label="Name"
                hint="Lowercase letters, digits, dashes and underscores, such as party_parrot"
                isCode
                name="name"
                maxLength={100}
                required
                autocomplete="off"
              />
            </FormDialog>
          ),
        }
      }
      tools={
        <>
          <FilterField label="Filter emoji" placeholder="Filter emoji" />
          <ShowChoice label="Which emoji" other="deactivated" />
        </>
      }
      rows={Object.values(state.realm_emoji ?? {})
        .filter((one) => one.deactivated === shows('deactivated') && matchesFilter(one.name))
        .toSorted((a, b) => a.name.localeCompare(b.name))}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Name',
          cell: ({ name, source_url, still_url }) => (
            <span class="row">
              <img class="org-emoji" src={still_url ?? source_url} alt="" loading="lazy" />
              <code class="clip">:{name}:</code>
            </span>
          ),
        },
        {
          title: 'Uploaded by',
          cell: ({ author_id }) => people.get(author_id) ?? 'unknown user',
        },
      ]}
      actions={deactivateButton}
    />
  );
}
