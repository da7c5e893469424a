import type { AskOf, FaultKindChoice, SandboxContract } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { strings } from './strings.ts';

type NewFault = AskOf<SandboxContract['faults']['add']>;

interface FaultFormProps {
  readonly kinds: readonly FaultKindChoice[];
  readonly phones: readonly string[];
  readonly isBusy: boolean;
  readonly onAdd: (fault: NewFault) => void;
}
/** The fault that the form offers first: the one that everybody meets. */
const FIRST = { provider: 'fcm', kind: 'QUOTA_EXCEEDED' } as const;
/** The status that is sent for a kind with a range of statuses. */
const ANY_STATUS = '400-599';

/** Chooses a fault with its details. */
export function FaultForm({ kinds, phones, isBusy, onAdd }: FaultFormProps) {
  const provider = useSignal<NewFault['provider']>(FIRST.provider);
  const kind = useSignal<string>(FIRST.kind);
  const status = useSignal('503');
  const phone = useSignal('');
  const numbers = useSignal<Readonly<Record<string, string>>>({ times: '1' });
  const offered = kinds.filter(({ providers }) => providers.includes(provider.value));
  const chosen = offered.find((one) => one.kind === kind.value) ?? offered[0];
  const set = (name: string, value: string) =>
    (numbers.value = { ...numbers.value, [name]: value });
  const submit = (event: Event) => {
    event.preventDefault();
    if (!chosen) return;
    const allowed = ['times', 'probability', ...chosen.parameters];
    const given = Object.entries(numbers.value).filter(
      ([name, value]) => value !== '' && allowed.includes(name),
    );
    onAdd({
      provider: provider.value,
      kind: chosen.kind === ANY_STATUS ? status.value : chosen.kind,
      ...(phone.value === '' ? {} : { phone: phone.value }),
      ...Object.fromEntries(given.map(([name, value]) => [name, Number(value)])),
    });
  };
  return (
    <form class="fault-form" onSubmit={submit}>
      <label class="field">
        {strings.provider}
        <select
          class="input"
          value={provider.value}
          onChange={({ currentTarget }) =>
            (provider.value = currentTarget.value as NewFault['provider'])
          }
        >
          {Object.entries(strings.providers).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {strings.kind}
        <select
          class="input"
          value={chosen?.kind}
          onChange={({ currentTarget }) => (kind.value = currentTarget.value)}
        >
          {offered.map((one) => (
            <option key={one.kind} value={one.kind}>
              {one.kind}
            </option>
          ))}
        </select>
      </label>
      <p class="muted fault-meaning">{chosen?.explanation}</p>
      {chosen?.kind === ANY_STATUS && (
        <NumberField
          label={strings.status}
          hint={ANY_STATUS}
          value={status.value}
          onChange={(value) => (status.value = value)}
        />
      )}
      <label class="field">
        {strings.phone}
        <select
          class="input"
          value={phone.value}
          onChange={({ currentTarget }) => (phone.value = currentTarget.value)}
        >
          <option value="">{strings.everyPhone}</option>
          {phones.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <NumberField
        label={strings.times}
        hint={strings.timesHint}
        value={numbers.value['times'] ?? ''}
        onChange={(value) => set('times', value)}
      />
      {chosen?.parameters.includes('retry_after') && (
        <NumberField
          label={strings.retryAfter}
          hint={strings.retryHint}
          value={numbers.value['retry_after'] ?? ''}
          onChange={(value) => set('retry_after', value)}
        />
      )}
      {chosen?.parameters.includes('ms') && (
        <NumberField
          label={strings.ms}
          hint={strings.msHint}
          value={numbers.value['ms'] ?? ''}
          onChange={(value) => set('ms', value)}
        />
      )}
      <NumberField
        label={strings.probability}
        hint={strings.probabilityHint}
        step="0.05"
        value={numbers.value['probability'] ?? ''}
        onChange={(value) => set('probability', value)}
      />
      <div class="actions">
        <Button kind="primary" type="submit" icon="zap" isBusy={isBusy}>
          {strings.switchOn}
        </Button>
      </div>
    </form>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly step?: string;
  readonly onChange: (value: string) => void;
}

const NumberField = ({ label, hint, value, step = '1', onChange }: NumberFieldProps) => (
  <label class="field">
    {label}
    <input
      class="input"
      type="number"
      min="0"
      step={step}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
    <small>{hint}</small>
  </label>
);
