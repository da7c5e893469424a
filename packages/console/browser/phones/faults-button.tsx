import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { Lazy } from '../shell/lazy.tsx';
import type { PhoneStore } from './store.ts';
import { strings } from './strings.ts';

const loadDialog = async () => (await import('../faults/faults-dialog.tsx')).FaultsDialog;

/** Opens the switchboard of faults. */
export function FaultsButton({ store }: { store: PhoneStore }) {
  const isOpen = useSignal(false);
  const { client, phones, version } = store;
  return (
    <div class="list-foot">
      <Button icon="zap" onClick={() => (isOpen.value = true)}>
        {strings.faults}
      </Button>
      {isOpen.value && (
        <Lazy
          load={loadDialog}
          props={{
            faults: client.faults,
            phones: phones.value.map(({ name }) => name),
            version: version.value,
            onClose: () => (isOpen.value = false),
          }}
        />
      )}
    </div>
  );
}
