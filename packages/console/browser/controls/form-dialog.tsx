import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, type FormProps } from './form.tsx';
import { strings } from './strings.ts';

interface FormDialogProps<T> extends Omit<FormProps<T>, 'buttons'> {
  readonly title: string;
  readonly class?: string;
  readonly onClose: () => void;
}

/** A dialog whose fields are sent together. It stays open after an error, which it shows. */
export const FormDialog = <T,>({ title, class: name, onClose, ...form }: FormDialogProps<T>) => (
  <Dialog title={title} onClose={onClose} {...(name && { class: name })}>
    <Form {...form} buttons={<Button onClick={onClose}>{strings.cancel}</Button>} />
  </Dialog>
);
