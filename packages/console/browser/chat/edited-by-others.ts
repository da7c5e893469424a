import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { noticed } from './noticed.ts';

/** The IDs of the messages that their senders edit now, without those of the user. */
export function useEditedByOthers(account: LiveAccount): ReadonlySignal<readonly number[]> {
  const edited = useMemo(() => noticed(account), [account]);
  useEffect(() => {
    const stop = account.onEvent((event) => {
      if (event.type === 'update_message') edited.remove(event.message_id);
      if (event.type !== 'typing_edit_message' || event.sender_id === account.user_id) return;
      const isWanted = userSetting(account, 'receives_typing_notifications');
      if (event.op === 'start' && isWanted) edited.add(event.message_id);
      else edited.remove(event.message_id);
    });
    return () => {
      stop();
      edited.clear();
    };
  }, [account]);
  return edited.ids;
}
