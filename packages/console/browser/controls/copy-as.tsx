import { Button } from './button.tsx';
import { strings } from './strings.ts';
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
      void navigator.clipboard.writeText(text()).then(() => toast(strings.copied), toastError)
    }
  >
    {label}
  </Button>
);
