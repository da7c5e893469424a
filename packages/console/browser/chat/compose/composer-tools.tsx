import { useSignal } from '@preact/signals';

import { IconButton } from '../../controls/button.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import type { Destination } from './destination.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { SnippetMenu } from './snippet-menu.tsx';

interface ComposerToolsProps {
  readonly account: LiveAccount;
  readonly to: Destination;
  /** The text of the message box. */
  readonly content: string;
  /** Whether it could be sent. */
  readonly maySend: boolean;
  /** Called with a text to put in. */
  readonly onChoose: (content: string) => void;
  readonly onScheduled: () => void;
}

/** The buttons of the message box that are seldom used: snippets, and sending later. */
export function ComposerTools(props: ComposerToolsProps) {
  const { account, to, content, maySend, onChoose, onScheduled } = props;
  const isScheduling = useSignal(false);
  return (
    <>
      <SnippetMenu account={account} content={content} onChoose={onChoose} />
      <IconButton
        icon="clock"
        label="Send later"
        disabled={!maySend}
        onClick={() => (isScheduling.value = true)}
      />
      {isScheduling.value && (
        <ScheduleDialog
          account={account}
          to={to}
          content={content}
          onDone={onScheduled}
          onClose={() => (isScheduling.value = false)}
        />
      )}
    </>
  );
}
