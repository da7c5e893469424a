import type { BotDeliveryDetails, DeliveryAttempt } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { DiffView } from '../../json/diff-view.tsx';
import { answerText } from './answer-text.ts';
import { strings } from './strings.ts';

interface AttemptsDiffProps {
  readonly delivery: BotDeliveryDetails;
  readonly attempt: DeliveryAttempt;
}

/** The differences between the answers to two attempts of a delivery. */
export function AttemptsDiff({ delivery: { attempts }, attempt }: AttemptsDiffProps) {
  const others = attempts.filter(({ number }) => number !== attempt.number);
  const chosen = useSignal<number | undefined>(undefined);
  const other = others.find(({ number }) => number === chosen.value) ?? others[0];
  if (!other) return <p class="muted">{strings.nothingToCompare}</p>;
  const [before, after] = other.number < attempt.number ? [other, attempt] : [attempt, other];
  return (
    <>
      <label class="field">
        {strings.diffSides}
        <select
          class="input"
          value={other.number}
          onChange={({ currentTarget }) => (chosen.value = Number(currentTarget.value))}
        >
          {others.map(({ number }) => (
            <option key={number} value={number}>
              {strings.otherAttempt(number)}
            </option>
          ))}
        </select>
      </label>
      <DiffView
        label={strings.diffParts.response}
        before={answerText(before)}
        after={answerText(after)}
      />
    </>
  );
}
