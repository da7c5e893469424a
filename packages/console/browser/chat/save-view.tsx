import type { InitialState } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { IconButton } from '../controls/button.tsx';
import { toast, toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { Lazy } from '../shell/lazy.tsx';
import { savedAs } from './saved-views.ts';
import type { View } from './view.ts';

interface SaveViewProps {
  readonly account: LiveAccount;
  readonly state: InitialState;
  readonly view: View;
}

const loadDialog = async () => (await import('./save-view-dialog.tsx')).SaveViewDialog;

/** Saves the view under a name, or forgets it. */
export function SaveView({ account, state, view }: SaveViewProps) {
  const isNaming = useSignal(false);
  const saved = savedAs(state, view);
  const { navigationViews } = account.client;
  const forget = ({ fragment, name }: NonNullable<typeof saved>) =>
    navigationViews.remove({ fragment }).then(() =>
      toast(`Removed saved view ${name}.`, {
        label: 'Undo',
        run: () => void navigationViews.add({ fragment, name, is_pinned: true }).catch(toastError),
      }),
    );
  return (
    <>
      <IconButton
        icon="bookmark"
        label={saved ? `Remove saved view ${saved.name}` : 'Save view'}
        aria-pressed={saved !== undefined}
        onClick={() => {
          if (saved) void forget(saved).catch(toastError);
          else isNaming.value = true;
        }}
      />
      {isNaming.value && (
        <Lazy
          load={loadDialog}
          props={{ account, state, view, onClose: () => (isNaming.value = false) }}
        />
      )}
    </>
  );
}
