import type { SandboxPhone, TokenKind } from '@bellhop/protocol';

import { toast, toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { go, href } from '../navigation/location.ts';
import { hrefOf } from './selection.ts';
import type { PhoneStore } from './store.ts';
import type { DeviceNumbers, Target } from './target.ts';

/** The actions on phones. Errors are shown as toasts. */
export interface PhoneActions {
  readonly add: (kind: TokenKind) => Promise<void>;
  /** Without a target to every device of the account. */
  readonly test: (target?: Target) => Promise<void>;
  readonly setOnline: (phone: SandboxPhone, online: boolean) => Promise<void>;
  readonly rotate: (phone: SandboxPhone, newToken: boolean) => Promise<void>;
  readonly uninstall: (phone: SandboxPhone) => Promise<void>;
  readonly remove: (phone: SandboxPhone) => Promise<void>;
}

export function phoneActions(account: LiveAccount, store: PhoneStore): PhoneActions {
  const { phones } = store.client;
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
      await store.refresh();
    } catch (error) {
      toastError(error);
    }
  };
  return {
    add: (token_kind) =>
      attempt(async () => {
        const { phone } = await phones.add({ token_kind });
        await store.refresh();
        go(hrefOf({ kind: 'phone', name: phone.name }));
      }),
    test: (target) =>
      attempt(async () => {
        await account.client.devices.testNotification(target ? numberOf(target) : {});
        toast('Test notification sent.');
      }),
    setOnline: ({ name }, online) => attempt(() => phones.setOnline({ name, online })),
    rotate: ({ name }, new_token) => attempt(() => phones.rotate({ name, new_token })),
    uninstall: ({ name }) => attempt(() => phones.uninstall({ name })),
    remove: ({ name }) =>
      attempt(async () => {
        await phones.remove({ name });
        go(href(['phones']));
      }),
  };
}

/** The number as the API takes it. */
const numberOf = ({ push_account_id, device_id }: DeviceNumbers) =>
  push_account_id === null
    ? { device_id: device_id ?? undefined }
    : { push_account_id: BigInt(push_account_id) };
