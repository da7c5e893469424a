import type { FetchedMessage } from '@bellhop/protocol';

import type { LiveAccount } from '../../live/live-account.ts';
import { textOf } from '../../text/text-of.ts';
import type { MessageActions } from '../message-actions.ts';
import { nameOfUser } from '../names.ts';
import { AddEntry } from './add-entry.tsx';
import { type Part, partsOf, type PollData } from './widget-data.ts';

interface PollProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
  readonly data: PollData;
}
interface Option {
  readonly key: string;
  readonly text: string;
  readonly voters: ReadonlySet<number>;
}

/** The question and the options with their voters, after all votes. */
function tallyOf({ question, options }: PollData, parts: readonly Part[]) {
  const tally = new Map<string, { text: string; voters: Set<number> }>(
    options.map((text, at) => [`canned,${at}`, { text, voters: new Set<number>() }]),
  );
  let asked = question;
  for (const part of parts) {
    const { type, sender_id } = part;
    if (type === 'question') asked = textOf(part['question']);
    else if (type === 'new_option') {
      const key = `${sender_id},${String(part['idx'])}`;
      const text = textOf(part['option']);
      if (![...tally.values()].some((option) => option.text === text))
        tally.set(key, { text, voters: new Set() });
    } else if (type === 'vote') {
      const option = tally.get(String(part['key']));
      if (part['vote'] === 1) option?.voters.add(sender_id);
      else option?.voters.delete(sender_id);
    }
  }
  const all: readonly Option[] = [...tally].map(([key, option]) => ({ key, ...option }));
  return { question: asked, options: all };
}

export function Poll({ account, message, actions, data }: PollProps) {
  const parts = partsOf(message.submessages);
  const { question, options } = tallyOf(data, parts);
  const state = account.state.value;
  const most = Math.max(1, ...options.map(({ voters }) => voters.size));
  return (
    <section class="widget" aria-label={question}>
      <h3>{question}</h3>
      {options.map(({ key, text, voters }) => (
        <button
          key={key}
          type="button"
          class="poll-option"
          aria-pressed={voters.has(account.user_id)}
          title={state && [...voters].map((id) => nameOfUser(state, id)).join(', ')}
          onClick={() =>
            actions.takePart(message, {
              type: 'vote',
              key,
              vote: voters.has(account.user_id) ? -1 : 1,
            })
          }
        >
          <span class="poll-bar" style={{ width: `${(voters.size / most) * 100}%` }} />
          <span class="grow">{text}</span>
          <strong>
            {voters.size} <span class="visually-hidden">votes</span>
          </strong>
        </button>
      ))}
      <AddEntry
        label="Add option"
        onAdd={(option) =>
          actions.takePart(message, {
            type: 'new_option',
            idx: countOf(parts, account.user_id, 'new_option'),
            option,
          })
        }
      />
    </section>
  );
}

/** The number of options that a user has added; it becomes the number of their next one. */
export const countOf = (parts: readonly Part[], user: number, type: string): number =>
  parts.filter((part) => part.sender_id === user && part.type === type).length;
