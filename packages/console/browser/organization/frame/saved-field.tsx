import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';

import { announce } from '../../controls/announce.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { Icon } from '../../controls/icon.tsx';
import { useAction } from '../../controls/use-action.ts';
import { FieldInput, type FieldKind, type FieldValue } from './field-input.tsx';

interface SavedFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly kind: FieldKind;
  readonly value: FieldValue;
  readonly save: (value: FieldValue) => Promise<unknown>;
}

/** A field that saves a change at once. If the server refuses it, its message and the old value are shown. */
export function SavedField({ label, hint, kind, value, save }: SavedFieldProps) {
  const { error, isBusy, run } = useAction();
  const saved = useSignal(false);
  /** The chosen value, until the server confirms or refuses it. */
  const chosen = useSignal<FieldValue | undefined>(undefined);
  const id = useId();
  useEffect(() => void (chosen.value = undefined), [value]);
  const change = (next: FieldValue) => {
    if (next === value) return;
    saved.value = false;
    chosen.value = next;
    const refuse = (problem: unknown) => {
      chosen.value = undefined;
      throw problem;
    };
    run(save(next).catch(refuse), () => {
      saved.value = true;
      announce(`Saved: ${label}`);
    });
  };
  const input = (
    <FieldInput
      id={id}
      kind={kind}
      value={chosen.value === undefined ? value : chosen.value}
      onChange={change}
    />
  );
  return (
    <div class="org-field">
      <div class={kind.kind === 'switch' ? 'org-switch' : 'field'}>
        {kind.kind === 'switch' && input}
        <span class="org-field-label">
          <label for={id}>{label}</label>
          {isBusy.value && <span class="spinner" />}
          {saved.value && !isBusy.value && (
            <span class="org-saved">
              <Icon name="check" />
              Saved
            </span>
          )}
        </span>
        {kind.kind !== 'switch' && input}
      </div>
      {hint && <small class="muted">{hint}</small>}
      <ErrorNotice error={error.value} />
    </div>
  );
}
