import { type FaultGroup, type FaultKindChoice, wordKey } from '@bellhop/protocol';
import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';

import { Icon } from '../controls/icon.tsx';

const groupNames = {
  busy: 'Provider is busy (the bouncer retries)',
  phone: 'Phone or token',
  credentials: 'Sender credentials',
  request: 'Request',
  connection: 'Connection',
  time: 'Time',
  answer: 'Other responses',
} satisfies Record<FaultGroup, string>;
/** The groups in the order of the list. */
const groups = Object.keys(groupNames) as FaultGroup[];

interface KindPickerProps {
  /** The kinds that the filter finds, each group together. */
  readonly kinds: readonly FaultKindChoice[];
  readonly chosen: FaultKindChoice | undefined;
  readonly onChoose: (kind: string) => void;
  /** The words that the filter has. */
  readonly words: Signal<string>;
}

/** The kinds of faults by their subject, with a filter. Arrow keys choose. */
export function KindPicker({ kinds, chosen, onChoose, words }: KindPickerProps) {
  const id = useId();
  return (
    <fieldset class="fault-kinds">
      <legend>Fault</legend>
      <div class="search">
        <Icon name="search" />
        <input
          ref={takeFocus}
          class="input"
          type="search"
          aria-label="Search faults"
          placeholder="words, status or reason"
          value={words.value}
          onInput={({ currentTarget }) => (words.value = currentTarget.value)}
        />
      </div>
      <div class="fault-kinds-box">
        {kinds.length === 0 && <p class="muted">No matching faults for this provider.</p>}
        {Array.from(
          Map.groupBy(kinds, ({ group }) => group),
          ([group, members]) => (
            <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
              <h3 id={`${id}-${group}`}>{groupNames[group]}</h3>
              {members.map(({ kind, explanation }) => (
                <label key={kind} class="fault-kind">
                  <input
                    type="radio"
                    name="kind"
                    checked={kind === chosen?.kind}
                    onChange={() => onChoose(kind)}
                  />
                  <code>{kind}</code>
                  <span class="muted">{explanation}</span>
                </label>
              ))}
            </div>
          ),
        )}
      </div>
    </fieldset>
  );
}

/** The kinds that have every word in their name, subject or explanation, in the order of the list. */
export function findKinds(kinds: readonly FaultKindChoice[], words: string): FaultKindChoice[] {
  const wanted = wordKey(words).split(/\s+/);
  const hasWords = ({ kind, group, explanation }: FaultKindChoice) => {
    const all = wordKey(`${kind} ${groupNames[group]} ${explanation}`);
    return wanted.every((word) => all.includes(word));
  };
  return groups.flatMap((name) => kinds.filter((one) => one.group === name && hasWords(one)));
}

/** A dialog focuses the filter; a page leaves the focus where it is. */
const takeFocus = (field: HTMLElement | null) => {
  if (field?.closest('dialog')) field.focus();
};
