import { strings } from './strings.ts';

interface WebhookFieldsProps {
  readonly payloadUrl: string;
  readonly interfaceType: number;
}

/** The fields of an outgoing webhook: `payload_url` and `interface`. */
export const WebhookFields = ({ payloadUrl, interfaceType }: WebhookFieldsProps) => (
  <>
    <label class="field">
      {strings.payloadUrl}
      <input
        class="input"
        name="payload_url"
        type="url"
        required
        maxLength={2048}
        defaultValue={payloadUrl}
      />
      <small>{strings.payloadUrlHint}</small>
    </label>
    <label class="field">
      {strings.interface}
      <select class="input" name="interface">
        {Object.entries(strings.interfaces).map(([value, name]) => (
          <option key={value} value={value} selected={Number(value) === interfaceType}>
            {name}
          </option>
        ))}
      </select>
    </label>
  </>
);
