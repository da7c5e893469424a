import { type Signal, useSignal } from '@preact/signals';

export interface Action {
  readonly error: Signal<unknown>;
  readonly isBusy: Signal<boolean>;
  /** Waits for a call, and calls back when it succeeded. */
  readonly run: <T>(call: Promise<T>, onDone?: (answer: T) => void) => void;
}

/** A call that a button makes: whether it runs, and why it failed. */
export function useAction(): Action {
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const run: Action['run'] = (call, onDone) => {
    isBusy.value = true;
    error.value = undefined;
    call
      .then(
        (answer) => onDone?.(answer),
        (problem: unknown) => (error.value = problem),
      )
      .finally(() => (isBusy.value = false));
  };
  return { error, isBusy, run };
}
