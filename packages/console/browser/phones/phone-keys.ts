import { useKeys } from '../navigation/keys.ts';
import { go, href } from '../navigation/location.ts';
import { escapeKey } from '../records/opened.ts';
import type { PhoneActions } from './phone-actions.ts';
import { openedPush } from './push-list.tsx';
import type { Target } from './target.ts';

interface KeysOf {
  readonly actions: PhoneActions;
  readonly target: Target | undefined;
  readonly openFaults: () => void;
}

/** The keys of a phone. */
export function usePhoneKeys({ actions, target, openFaults }: KeysOf): void {
  useKeys('Phones', [
    {
      keys: 't',
      label: 'Send test notification',
      run: () => {
        if (target) void actions.test(target);
      },
    },
    {
      keys: 'o',
      label: 'Take phone offline or bring it online',
      run: () => {
        const phone = target?.phone;
        if (phone?.is_installed) void actions.setOnline(phone, !phone.is_online);
      },
    },
    { keys: 'f', label: 'Provider faults', run: openFaults },
    escapeKey(openedPush, 'Close, or go back to phones', () => go(href(['phones']))),
  ]);
}
