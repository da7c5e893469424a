import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { current } from '../live/accounts.ts';
import { strings } from './strings.ts';

/** Whether events arrive, and how old the last one is. */
export function LiveDot() {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const account = current.value;
  const status = account?.status.value ?? 'connecting';
  const age = Math.max(0, Math.round((now.value - (account?.lastEventAt.value ?? 0)) / 1000));
  return (
    <span class={`live ${status}`} role="status" title={strings.lastEvent(age)}>
      <i />
      {strings.live[status]}
    </span>
  );
}
