import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { SelectField, TextField } from '../../controls/field.tsx';
import { textOf } from '../../text/text-of.ts';
import { laterChoices, localText, secondsOf } from './later.ts';

const CUSTOM = 'custom';

/** Asks for a moment in the future. `whenOf` reads it from the form. */
export function WhenField({ label, initial }: { label: string; initial?: number }) {
  const choices = useMemo(() => laterChoices(new Date()), []);
  const chosen = useSignal(initial === undefined ? String(choices[0]?.seconds) : CUSTOM);
  const tomorrow = choices.find(({ label: name }) => name.startsWith('Tomorrow'));
  return (
    <>
      <SelectField
        label={label}
        name="when"
        value={chosen.value}
        onChoose={(value) => (chosen.value = value)}
        options={[
          ...choices.map(({ label: name, seconds }) => ({ value: String(seconds), label: name })),
          { value: CUSTOM, label: 'Date and time…' },
        ]}
      />
      {chosen.value === CUSTOM && (
        <TextField
          label="Date and time"
          name="at"
          type="datetime-local"
          required
          defaultValue={localText(initial ?? tomorrow?.seconds ?? 0)}
        />
      )}
    </>
  );
}

/** The moment that a form names, as a UNIX time in seconds. Throws unless it is in the future. */
export const whenOf = (fields: FormData): number => {
  const when = textOf(fields.get('when'));
  return when === CUSTOM ? secondsOf(textOf(fields.get('at')), new Date()) : Number(when);
};
