export type FieldValue = string | number | boolean | null;

/** The kind of value of a field. */
export type FieldKind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  | {
      readonly kind: 'number';
      readonly min?: number | undefined;
      readonly max?: number | undefined;
    }
  | { readonly kind: 'text'; readonly maxLength?: number; readonly isLong?: true };
interface Option {
  readonly value: FieldValue;
  readonly label: string;
}

interface FieldInputProps {
  readonly id: string;
  readonly kind: FieldKind;
  readonly value: FieldValue;
  readonly onChange: (value: FieldValue) => void;
}

/** The input of a field. A text is given when the user leaves it or presses Enter. */
export function FieldInput({ id, kind, value, onChange }: FieldInputProps) {
  switch (kind.kind) {
    case 'switch':
      return (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <select
          id={id}
          class="input"
          value={String(value)}
          onChange={({ currentTarget }) =>
            onChange(kind.options[currentTarget.selectedIndex]?.value ?? null)
          }
        >
          {kind.options.map((option) => (
            <option key={String(option.value)} value={String(option.value)}>
              {option.label}
            </option>
          ))}
        </select>
      );
    case 'number':
      return (
        <input
          id={id}
          class="input org-number"
          type="number"
          min={kind.min}
          max={kind.max}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => {
            if (currentTarget.reportValidity()) onChange(currentTarget.valueAsNumber);
          }}
        />
      );
    case 'text':
      return kind.isLong ? (
        <textarea
          id={id}
          class="input"
          rows={3}
          maxLength={kind.maxLength}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          id={id}
          class="input"
          maxLength={kind.maxLength}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
  }
}
