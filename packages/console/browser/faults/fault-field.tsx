interface FaultFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** The steps of a number; undefined: it is a text. */
  readonly step: string | undefined;
}

/** A detail of a fault. */
export const FaultField = ({ label, hint, value, step, onInput }: FaultFieldProps) => (
  <label class="field">
    {label}
    <input
      class="input"
      {...(step === undefined ? {} : { type: 'number', min: '0', step })}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
    <small>{hint}</small>
  </label>
);
