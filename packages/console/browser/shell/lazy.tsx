import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

import { toastError } from '../controls/toasts.tsx';
import { cameBack } from '../loading/came-back.ts';
import { loadCode } from './load-code.ts';

interface LazyProps<P> {
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
}

/** Shows a component whose code is loaded when it is needed. */
export function Lazy<P extends object>({ load, props }: LazyProps<P>) {
  const loaded = useSignal<
    { readonly load: typeof load; readonly view: ComponentType<P> } | undefined
  >(undefined);
  useEffect(() => {
    const start = () =>
      loadCode(load).then((view) => {
        loaded.value = { load, view };
      }, toastError);
    // The signal calls back at once for the first time.
    return cameBack.subscribe(() => {
      if (loaded.peek()?.load !== load) void start();
    });
  }, [load]);
  // The props of one component are not for another, which stood here before.
  const View = loaded.value?.load === load ? loaded.value.view : undefined;
  return View ? <View {...props} /> : null;
}
