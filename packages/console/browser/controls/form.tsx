import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import type { IconName } from '../../src/icon-names.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Refused, refusedField } from './refused-field.ts';
import { useAction } from './use-action.ts';

export interface FormProps<T> {
  /** The label of the button that sends the form; undefined: the form is only read. */
  readonly action: string | undefined;
  readonly icon?: IconName;
  readonly send: (fields: FormData) => Promise<T>;
  /** Called with the answer. After an error the form shows it, and keeps what was typed. */
  readonly onSent?: ((answer: T) => void) | undefined;
  /** Buttons before the one that sends. */
  readonly buttons?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Fields that are sent together. */
export function Form<T>({ action, icon, send, onSent, buttons, children }: FormProps<T>) {
  const { error, isBusy, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const refused = refusedField(error.value);
  const field = refused && form.current?.elements.namedItem(refused.name);
  useEffect(() => {
    if (field instanceof HTMLElement) field.focus();
  }, [error.value]);
  return (
    <form
      ref={form}
      class="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        run(send(new FormData(event.currentTarget)), onSent);
      }}
    >
      <Refused.Provider value={refused}>{children}</Refused.Provider>
      <ErrorNotice error={field ? undefined : error.value} />
      {action !== undefined && (
        <div class="actions">
          {buttons}
          <Button kind="primary" type="submit" icon={icon} isBusy={isBusy.value}>
            {action}
          </Button>
        </div>
      )}
    </form>
  );
}
