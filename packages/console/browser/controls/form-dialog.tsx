import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, type FormProps } from './form.tsx';

interface FormDialogProps<T> extends Omit<FormProps<T>, 'buttons'> {
  readonly title: string;
  readonly class?: string;
  readonly onClose: () => void;
}

/**
 * A dialog whose fields are sent together. It stays open after an error, which it shows, and closes
 * after an answer unless `onSent` does something else with it.
 */
export const FormDialog = <T,>(props: FormDialogProps<T>) => {
  const { title, class: name, onClose, onSent = onClose, ...form } = props;
  return (
    <Dialog title={title} onClose={onClose} {...(name && { class: name })}>
      <Form {...form} onSent={onSent} buttons={<Button onClick={onClose}>Cancel</Button>} />
    </Dialog>
  );
};
