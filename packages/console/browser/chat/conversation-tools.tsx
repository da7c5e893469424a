import { Button } from '../controls/button.tsx';
import { MenuItem, PopoverButton } from '../controls/menu.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { conversationActions, joinAction } from './conversation-actions.ts';
import { SaveView } from './save-view.tsx';
import type { View } from './view.ts';

interface ConversationToolsProps {
  readonly account: LiveAccount;
  readonly view: View;
  /** Whether the conversation is the second account's. */
  readonly isBeside: boolean;
}

/** The buttons and the menu in the head of a conversation or a search. */
export function ConversationTools({ account, view, isBeside }: ConversationToolsProps) {
  const { value: state } = account.state;
  const actions = conversationActions(account, view);
  const join = 'channel' in view ? joinAction(account, view.channel) : [];
  return (
    <>
      {join.map(({ icon, label, run }) => (
        <Button key={label} kind="primary" icon={icon} onClick={run}>
          {label}
        </Button>
      ))}
      {!isBeside && state && <SaveView account={account} state={state} view={view} />}
      {actions.length > 0 && (
        <PopoverButton icon="ellipsis" label="Conversation menu">
          {actions.map(({ icon, label, run }) => (
            <MenuItem key={label} icon={icon} label={label} onSelect={run} />
          ))}
        </PopoverButton>
      )}
    </>
  );
}
