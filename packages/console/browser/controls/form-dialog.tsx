import type { ComponentChildren } from 'preact';

import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { strings } from './strings.ts';
import { useAction } from './use-action.ts';

interface FormDialogProps<T> {
  readonly title: string;
  /** The text of the button that sends the form. */
  readonly action: string;
  readonly send: (fields: FormData) => Promise<T>;
  /** Called with the answer; the dialog stays open after an error, which it shows. */
  readonly onSent: (answer: T) => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog whose fields are sent together. */
export function FormDialog<T>(props: FormDialogProps<T>) {
  const { title, action, send, onSent, onClose, children } = props;
  const { error, isBusy, run } = useAction();
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          run(send(new FormData(event.currentTarget)), onSent);
        }}
      >
        {children}
        <ErrorNotice error={error.value} />
        <div class="actions">
          <Button onClick={onClose}>{strings.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy.value}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
