import { useSignal } from '@preact/signals';

import { TextField } from '../controls/field.tsx';
import { FormDialog } from '../controls/form-dialog.tsx';
import { MenuItem, PopoverButton } from '../controls/menu.tsx';
import { filterBy } from '../list/shown-filter.ts';
import { textOf } from '../text/text-of.ts';
import { storedList } from './stored-list.ts';

const MAX_VIEWS = 30;

interface SavedViewsProps {
  /** The ID of the list. */
  readonly id: string;
  readonly filter: string;
}

/** The filters that were saved under a name. Choosing one puts it into the address. */
export function SavedViews({ id, filter }: SavedViewsProps) {
  const views = storedList(`bellhop-${id}-views`, MAX_VIEWS);
  const isNaming = useSignal(false);
  const all = views.entries.value;
  const shown = all.find(({ text }) => text === filter);
  const save = async (fields: FormData) =>
    views.keep({ name: textOf(fields.get('name')).trim(), text: filter });
  const close = () => (isNaming.value = false);
  return (
    <>
      <PopoverButton icon="bookmark" label="Saved views">
        {all.length === 0 && <p class="muted">Filter the list to save the filter here.</p>}
        {all.map(({ name, text }) => (
          <MenuItem key={name} icon="search" label={name} onSelect={() => filterBy(text)} />
        ))}
        {filter !== '' && !shown && (
          <MenuItem icon="plus" label="Save filter" onSelect={() => (isNaming.value = true)} />
        )}
        {shown && (
          <MenuItem
            icon="trash"
            label={`Remove ${shown.name}`}
            isDanger
            onSelect={() => views.remove(shown.name)}
          />
        )}
      </PopoverButton>
      {isNaming.value && (
        <FormDialog title="Save filter" action="Save" send={save} onSent={close} onClose={close}>
          <p class="mono">{filter}</p>
          <TextField label="Name" name="name" maxLength={60} required />
        </FormDialog>
      )}
    </>
  );
}
