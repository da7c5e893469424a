import { ActionButton } from '../controls/action-button.tsx';
import { Icon } from '../controls/icon.tsx';
import type { LiveAccount } from '../live/live-account.ts';

/** The reason why messages cause no pushes, if it is a setting of the account. */
export function PushesOff({ account }: { readonly account: LiveAccount }) {
  if (account.state.value?.user_settings?.enable_offline_push_notifications !== false) return null;
  return (
    <div class="notice" role="status">
      <Icon name="circle-alert" />
      <span class="grow">
        Push notifications for messages are turned off for this account
        (enable_offline_push_notifications). Test notifications still arrive.
      </span>
      <ActionButton
        run={() => account.client.settings.update({ enable_offline_push_notifications: true })}
      >
        Turn on
      </ActionButton>
    </div>
  );
}
