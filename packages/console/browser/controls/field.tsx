import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes } from 'preact';

import { useProblem } from './refused-field.ts';

interface FieldProps {
  readonly label: ComponentChildren;
  readonly hint?: string | undefined;
  /** The parameter that the field is for: what the server says of it is shown here. */
  readonly name?: string | undefined;
}

/** A control below its label, with a hint or the reason why the server refused it below. */
export const Field = (props: FieldProps & { children: ComponentChildren }) => {
  const { label, hint, name, children } = props;
  const problem = useProblem(name);
  return (
    <label class={problem === undefined ? 'field' : 'field refused'}>
      {label}
      {children}
      {problem !== undefined && (
        <small class="field-problem" role="alert">
          {problem}
        </small>
      )}
      {hint && <small>{hint}</small>}
    </label>
  );
};

type TextFieldProps = FieldProps & InputHTMLAttributes & { readonly isCode?: true };

/** A line of text. A form reads it by its name. */
export const TextField = ({ label, hint, isCode, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint} name={typeof input.name === 'string' ? input.name : undefined}>
    <input
      {...(input.type === 'url' && urlWords)}
      {...input}
      class={isCode ? 'input mono' : 'input'}
    />
  </Field>
);

/** Says how an address should be, in place of the browser's "Please enter a URL." */
const urlWords = {
  onInvalid: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    if (currentTarget.validity.typeMismatch)
      currentTarget.setCustomValidity(
        'Enter the whole address, beginning with https:// or http://, such as https://example.com/hook',
      );
  },
  onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    currentTarget.setCustomValidity(''),
};

interface Option {
  readonly value: string | number;
  readonly label: string;
}
type SelectAttributes = Pick<
  SelectHTMLAttributes,
  'value' | 'defaultValue' | 'disabled' | 'required'
>;
interface SelectFieldProps extends FieldProps, SelectAttributes {
  readonly options: readonly Option[];
  readonly onChoose?: (value: string) => void;
}

/** One of several. A form reads the value by the name; `defaultValue` is chosen first. */
export const SelectField = (props: SelectFieldProps) => {
  const { label, hint, options, onChoose, defaultValue, ...select } = props;
  return (
    <Field label={label} hint={hint} name={select.name}>
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
