import { ConfirmDialog } from '../../controls/confirm-dialog.tsx';
import { go } from '../../navigation/location.ts';
import { NewChannelDialog } from '../../organization/channels/new-channel-dialog.tsx';
import { rightsOf } from '../../organization/rights.ts';
import { hrefOf } from '../href-of.ts';
import { nameOfChannel } from '../names.ts';
import { BrowseChannels } from './browse-channels.tsx';
import type { ChatDialogProps } from './dialog-props.ts';
import { NewConversation } from './new-conversation.tsx';
import { openedDialog } from './opened-dialog.ts';
import { PersonCard } from './person-card.tsx';

import './dialogs.css';

/** The dialog of Chat that is open, if any. */
export function DialogView() {
  const opened = openedDialog.value;
  const state = opened?.account.state.value;
  if (!opened || !state) return null;
  const { account, dialog } = opened;
  const onClose = () => {
    // A dialog may have opened another one.
    if (openedDialog.peek() === opened) openedDialog.value = undefined;
  };
  const props = { account, state, onClose };
  switch (dialog.kind) {
    case 'new-channel':
      return (
        <NewChannelDialog
          {...props}
          rights={rightsOf(state, account.user_id)}
          onCreated={(channel) => go(hrefOf({ kind: 'channel', channel }))}
        />
      );
    case 'channels':
      return <BrowseChannels {...props} />;
    case 'new-conversation':
      return <NewConversation {...props} users={dialog.users ?? []} />;
    case 'person':
      return <PersonCard key={dialog.user_id} {...props} user_id={dialog.user_id} />;
    case 'leave':
      return <LeaveChannel {...props} channel={dialog.channel} />;
  }
}

interface LeaveChannelProps extends ChatDialogProps {
  readonly channel: number;
}

/** Asks before the user leaves a private channel, to which others must add them again. */
function LeaveChannel({ account, state, channel, onClose }: LeaveChannelProps) {
  const name = nameOfChannel(state, channel);
  return (
    <ConfirmDialog
      title={`Leave #${name}?`}
      action="Leave channel"
      icon="log-out"
      run={() => account.client.subscriptions.remove({ subscriptions: [name] })}
      onClose={onClose}
    >
      The channel is private: to come back, somebody in it has to add you.
    </ConfirmDialog>
  );
}
