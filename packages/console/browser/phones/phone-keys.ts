import { useKeys } from '../navigation/keys.ts';
import { go, href } from '../navigation/location.ts';
import { escapeKey } from '../records/opened.ts';
import type { PhoneActions } from './phone-actions.ts';
import { openedPush } from './push-list.tsx';
import type { Target } from './selection.ts';
import { strings } from './strings.ts';

interface KeysOf {
  readonly actions: PhoneActions;
  readonly target: Target | undefined;
  readonly openFaults: () => void;
}

/** The keys of a phone. */
export function usePhoneKeys({ actions, target, openFaults }: KeysOf): void {
  useKeys(strings.keys, [
    {
      keys: 't',
      label: strings.keyTest,
      run: () => {
        if (target) void actions.test(target);
      },
    },
    {
      keys: 'o',
      label: strings.keyOnline,
      run: () => {
        const phone = target?.phone;
        if (phone?.is_installed) void actions.setOnline(phone, !phone.is_online);
      },
    },
    { keys: 'f', label: strings.keyFaults, run: openFaults },
    escapeKey(openedPush, strings.keyBack, () => go(href(['phones']))),
  ]);
}
