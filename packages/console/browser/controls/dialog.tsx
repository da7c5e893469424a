import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/** A dialog over the page. Esc and a click beside it close it; the focus returns where it was. */
export function Dialog({ title, onClose, children, class: name = '' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    const opened = dialog.current;
    opened?.showModal();
    return () => {
      const { activeElement: focused, body } = document;
      // A key may have moved the focus on since Esc closed the dialog.
      const isElsewhere = focused !== body && !opened?.contains(focused);
      if (!isElsewhere && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${name}`}
      aria-labelledby={heading}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={heading} class="grow">
          {title}
        </h2>
        <IconButton icon="x" label="Close" onClick={onClose} />
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
