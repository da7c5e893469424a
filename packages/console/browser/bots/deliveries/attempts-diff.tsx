import type { BotDeliveryDetails, DeliveryAttempt } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { SelectField } from '../../controls/field.tsx';
import { DiffView } from '../../json/diff-view.tsx';
import { answerText } from './answer-text.ts';

interface AttemptsDiffProps {
  readonly delivery: BotDeliveryDetails;
  readonly attempt: DeliveryAttempt;
}

/** The differences between the answers to two attempts of a delivery. */
export function AttemptsDiff({ delivery: { attempts }, attempt }: AttemptsDiffProps) {
  const others = attempts.filter(({ number }) => number !== attempt.number);
  const chosen = useSignal<number | undefined>(undefined);
  const other = others.find(({ number }) => number === chosen.value) ?? others[0];
  if (!other)
    return (
      <p class="muted">
        There is only one attempt. To compare two deliveries, mark them with x and press d.
      </p>
    );
  const [before, after] = other.number < attempt.number ? [other, attempt] : [attempt, other];
  return (
    <>
      <SelectField
        label="Compare with"
        value={other.number}
        options={others.map(({ number }) => ({
          value: number,
          label: `Attempt ${number}`,
        }))}
        onChoose={(value) => (chosen.value = Number(value))}
      />
      <DiffView label="Responses" before={answerText(before)} after={answerText(after)} />
    </>
  );
}
