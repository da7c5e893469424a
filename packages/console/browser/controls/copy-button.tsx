import { useSignal } from '@preact/signals';

import { announce } from './announce.tsx';
import { IconButton } from './button.tsx';

const SHOWN_MS = 1500;

/** Copies a text. Pass a function as `text` if the text takes long to write. */
export function CopyButton({ text, label }: { text: string | (() => string); label?: string }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
    isCopied.value = true;
    announce('Copied');
    setTimeout(() => (isCopied.value = false), SHOWN_MS);
  };
  return (
    <IconButton
      icon={isCopied.value ? 'check' : 'copy'}
      label={isCopied.value ? 'Copied' : (label ?? 'Copy')}
      onClick={() => void copy()}
    />
  );
}
