import type { Parameter } from './operations.ts';
import { fieldOf, typeText } from './schema-text.ts';

/** The field of a parameter, as its type asks for. Empty means that it is not sent. */
export function ParameterField({ parameter }: { parameter: Parameter }) {
  const { name, isRequired, schema } = parameter;
  const field = fieldOf(schema);
  const { maxLength } = schema;
  return (
    <label class="field">
      <span>
        <code>{name}</code>
        {isRequired && <span class="muted"> required</span>}
      </span>
      {field.kind === 'choice' ? (
        <select class="input" name={name} required={isRequired}>
          <option value="">{isRequired ? 'select' : 'not sent'}</option>
          {field.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : field.kind === 'number' ? (
        <input
          class="input"
          name={name}
          required={isRequired}
          inputMode="numeric"
          autocomplete="off"
        />
      ) : (
        <textarea
          class={field.kind === 'json' ? 'input mono' : 'input'}
          name={name}
          required={isRequired}
          rows={1}
          maxLength={maxLength}
          spellcheck={false}
          placeholder={field.kind === 'json' ? typeText(schema) : ''}
        />
      )}
    </label>
  );
}
