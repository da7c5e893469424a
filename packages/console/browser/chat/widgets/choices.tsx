import type { FetchedMessage } from '@bellhop/protocol';

import { Button } from '../../controls/button.tsx';
import type { MessageActions } from '../message-actions.ts';
import type { ChoicesData } from './widget-data.ts';

interface ChoicesProps {
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
  readonly data: ChoicesData;
}

/** The buttons of a bot. Pressing one sends its reply to the conversation. */
export const Choices = ({ message, actions, data: { heading, choices } }: ChoicesProps) => (
  <section class="widget" aria-label={heading}>
    <h3>{heading}</h3>
    <div class="choices">
      {choices.map(({ short_name, long_name, reply }) => (
        <Button key={short_name} title={reply} onClick={() => actions.sendReply(message, reply)}>
          <strong>{short_name}</strong> {long_name}
        </Button>
      ))}
    </div>
  </section>
);
