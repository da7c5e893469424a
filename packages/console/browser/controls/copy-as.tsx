import { Button } from './button.tsx';
import { toast, toastError } from './toasts.tsx';

interface CopyAsProps {
  /** The label of the button: `Copy as curl`. */
  readonly label: string;
  /** Written when it is copied. */
  readonly text: () => string;
}

/** A button with a word that copies a text. */
export const CopyAs = ({ label, text }: CopyAsProps) => (
  <Button
    icon="copy"
    onClick={() =>
      void navigator.clipboard.writeText(text()).then(() => toast('Copied'), toastError)
    }
  >
    {label}
  </Button>
);
