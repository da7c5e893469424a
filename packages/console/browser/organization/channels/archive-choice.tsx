import { useSignal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';
import { ConfirmDialog } from '../../controls/confirm-dialog.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
import { strings } from './strings.ts';

interface ArchiveChoiceProps {
  readonly isArchived: boolean;
  /** The question before it is archived, and what that means. */
  readonly title: string;
  readonly text: string;
  readonly setArchived: (is_archived: boolean) => Promise<unknown>;
}

/** The button that archives a channel or folder, or takes it back from the archive. */
export function ArchiveChoice({ isArchived, title, text, setArchived }: ArchiveChoiceProps) {
  const isAsking = useSignal(false);
  const { error, isBusy, run } = useAction();
  if (isArchived)
    return (
      <>
        <ErrorNotice error={error.value} />
        <Button kind="primary" isBusy={isBusy.value} onClick={() => run(setArchived(false))}>
          {strings.unarchive}
        </Button>
      </>
    );
  return (
    <>
      <Button kind="danger" icon="archive" onClick={() => (isAsking.value = true)}>
        {strings.archive}
      </Button>
      {isAsking.value && (
        <ConfirmDialog
          title={title}
          action={strings.archive}
          run={() => setArchived(true)}
          onClose={() => (isAsking.value = false)}
        >
          {text}
        </ConfirmDialog>
      )}
    </>
  );
}
