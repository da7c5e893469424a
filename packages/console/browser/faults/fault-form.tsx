import type { AskOf, FaultKindChoice, SandboxContract, TokenKind } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { SelectField, TextField } from '../controls/field.tsx';
import { findKinds, KindPicker } from './kind-picker.tsx';

export const providerNames = {
  apns: 'APNs',
  fcm: 'FCM',
  webpush: 'Web Push',
  oauth: "Google's token endpoint",
};

type NewFault = AskOf<SandboxContract['faults']['add']>;
/** A phone that a fault may be limited to. */
export interface FaultPhone {
  readonly name: string;
  readonly token_kind: TokenKind;
}

interface FaultFormProps {
  readonly kinds: readonly FaultKindChoice[];
  readonly phones: readonly FaultPhone[];
  /** The phone that is chosen first. */
  readonly phone?: string | undefined;
  readonly isBusy: boolean;
  readonly onAdd: (fault: NewFault) => void;
}
/** The kind with a range of statuses. */
const ANY_STATUS = '400-599';
/** The fields of the details, in their order, with the steps of those that are numbers. */
const steps = {
  status: '1',
  reason: undefined,
  retry_after: '1',
  ms: '1',
  times: '1',
  probability: '0.05',
} as const;
type Detail = keyof typeof steps;
const detailTexts = {
  status: { label: 'Status', hint: 'HTTP status from 400 to 599' },
  reason: { label: 'Reason', hint: 'Reason in the response' },
  retry_after: { label: 'Retry-After', hint: 'In seconds. Leave empty for none.' },
  ms: { label: 'Delay', hint: 'In milliseconds' },
  times: { label: 'Requests', hint: 'Number of requests to affect. Leave empty for all.' },
  probability: { label: 'Probability', hint: 'From 0 to 1' },
};

/** Chooses a fault with its details. A phone decides the provider. */
export function FaultForm({ kinds, phones, phone: first = '', isBusy, onAdd }: FaultFormProps) {
  const providerOf = (name: string) => phones.find((one) => one.name === name)?.token_kind;
  const phone = useSignal(first);
  const provider = useSignal<NewFault['provider']>(providerOf(first) ?? 'fcm');
  const kind = useSignal('');
  const words = useSignal('');
  const details = useSignal<Readonly<Partial<Record<Detail, string>>>>({
    times: '1',
    status: '503',
  });
  const offered = kinds.filter(({ providers }) => providers.includes(provider.value));
  const found = findKinds(offered, words.value);
  const chosen = found.find((one) => one.kind === kind.value) ?? found[0];
  const asked = (Object.keys(steps) as Detail[]).filter(
    (name) =>
      name === 'times' ||
      name === 'probability' ||
      (name === 'status' ? chosen?.kind === ANY_STATUS : chosen?.parameters.includes(name)),
  );
  const submit = (event: Event) => {
    event.preventDefault();
    if (!chosen) return;
    const { status = '', ...given } = Object.fromEntries(
      asked.map((name) => [name, details.value[name] ?? '']).filter(([, text]) => text !== ''),
    );
    onAdd({
      provider: provider.value,
      kind: chosen.kind === ANY_STATUS ? status : chosen.kind,
      ...(phone.value === '' ? {} : { phone: phone.value }),
      ...Object.fromEntries(
        Object.entries(given).map(([name, text]) => [
          name,
          name === 'reason' ? text : Number(text),
        ]),
      ),
    });
  };
  return (
    <form class="fault-form" onSubmit={submit}>
      <SelectField
        label="Phone"
        value={phone.value}
        onChoose={(name) => {
          phone.value = name;
          provider.value = providerOf(name) ?? provider.value;
        }}
        options={[
          { value: '', label: 'All phones' },
          ...phones.map(({ name }) => ({ value: name, label: name })),
        ]}
      />
      <SelectField
        label="Provider"
        value={provider.value}
        onChoose={(id) => {
          provider.value = id as NewFault['provider'];
          if (providerOf(phone.value) !== provider.value) phone.value = '';
        }}
        options={Object.entries(providerNames).map(([value, label]) => ({ value, label }))}
      />
      <KindPicker
        kinds={found}
        chosen={chosen}
        onChoose={(next) => (kind.value = next)}
        words={words}
      />
      <div class="fault-details">
        {asked.map((name) => (
          <TextField
            key={name}
            {...detailTexts[name]}
            {...(steps[name] && { type: 'number', min: '0', step: steps[name] })}
            value={details.value[name] ?? ''}
            onInput={({ currentTarget }) =>
              (details.value = { ...details.value, [name]: currentTarget.value })
            }
          />
        ))}
      </div>
      <div class="actions">
        <Button kind="primary" type="submit" icon="zap" isBusy={isBusy} disabled={!chosen}>
          Turn on
        </Button>
      </div>
    </form>
  );
}
