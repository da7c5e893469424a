import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes } from 'preact';

interface FieldProps {
  readonly label: ComponentChildren;
  readonly hint?: string | undefined;
}

/** A control below its label, with a hint below. */
export const Field = ({ label, hint, children }: FieldProps & { children: ComponentChildren }) => (
  <label class="field">
    {label}
    {children}
    {hint && <small>{hint}</small>}
  </label>
);

type TextFieldProps = FieldProps & InputHTMLAttributes & { readonly isCode?: true };

/** A line of text. A form reads it by its name. */
export const TextField = ({ label, hint, isCode, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint}>
    <input {...input} class={isCode ? 'input mono' : 'input'} />
  </Field>
);

interface Option {
  readonly value: string | number;
  readonly label: string;
}
type SelectAttributes = Pick<
  SelectHTMLAttributes,
  'name' | 'value' | 'defaultValue' | 'disabled' | 'required'
>;
interface SelectFieldProps extends FieldProps, SelectAttributes {
  readonly options: readonly Option[];
  readonly onChoose?: (value: string) => void;
}

/** One of several. A form reads the value by the name; `defaultValue` is chosen first. */
export const SelectField = (props: SelectFieldProps) => {
  const { label, hint, options, onChoose, defaultValue, ...select } = props;
  return (
    <Field label={label} hint={hint}>
      <select
        {...select}
        class="input"
        onChange={({ currentTarget }) => onChoose?.(currentTarget.value)}
      >
        {options.map(({ value, label: text }) => (
          <option
            key={value}
            value={value}
            {...(defaultValue !== undefined && { selected: value === defaultValue })}
          >
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
};
