import type { InputHTMLAttributes } from 'preact';

interface CheckListProps {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly { readonly id: number; readonly label: string }[];
  readonly chosen?: readonly number[];
}

/** Several of a list. A form reads the IDs by the name. */
export const CheckList = ({ legend, name, options, chosen = [] }: CheckListProps) => (
  <fieldset class="org-checks">
    <legend>{legend}</legend>
    <div class="org-checks-box">
      {options.map(({ id, label }) => (
        <label key={id} class="org-check">
          <input type="checkbox" name={name} value={id} defaultChecked={chosen.includes(id)} />
          <span class="clip">{label}</span>
        </label>
      ))}
    </div>
  </fieldset>
);

interface CheckFieldProps extends Pick<
  InputHTMLAttributes,
  'name' | 'checked' | 'defaultChecked' | 'onChange'
> {
  readonly label: string;
}

/** A box to tick. A form reads it by its name. */
export const CheckField = ({ label, ...input }: CheckFieldProps) => (
  <label class="org-check">
    <input {...input} type="checkbox" />
    {label}
  </label>
);

/** The IDs that a form names. */
export const idsOf = (fields: FormData, name: string): number[] =>
  fields.getAll(name).map(Number).filter(Number.isFinite);
