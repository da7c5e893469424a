import { signal } from '@preact/signals';

import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { messageOf } from './message-of.ts';

import './toasts.css';

interface Toast {
  readonly id: number;
  readonly kind: 'ok' | 'bad';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}
const MAX_SHOWN = 4;
const SHOWN_MS = 6000;

const toasts = signal<readonly Toast[]>([]);
let last = 0;

const dismiss = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

/** Shows for six seconds that an action was done, with a button to undo it. */
export function toast(text: string, action?: Toast['action']): void {
  const id = ++last;
  toasts.value = [...toasts.value, { id, kind: 'ok', text, action } as const].slice(-MAX_SHOWN);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Shows an error until it is dismissed. For errors without a place of their own. */
export function toastError(error: unknown): void {
  const id = ++last;
  const failed = { id, kind: 'bad', text: messageOf(error) } as const;
  // The same reason of several calls is one thing to read.
  const others = toasts.value.filter(({ kind, text }) => kind === 'ok' || text !== failed.text);
  toasts.value = [...others, failed].slice(-MAX_SHOWN);
}

export const Toasts = () => (
  <div class="toasts" role="status">
    {toasts.value.map(({ id, kind, text, action }) => (
      <div key={id} class={`toast ${kind}`}>
        <Icon name={kind === 'ok' ? 'circle-check' : 'circle-alert'} />
        <span class="grow">{text}</span>
        {action && (
          <button
            type="button"
            class="button"
            onClick={() => {
              dismiss(id);
              action.run();
            }}
          >
            {action.label}
          </button>
        )}
        <IconButton icon="x" label="Dismiss" onClick={() => dismiss(id)} />
      </div>
    ))}
  </div>
);
