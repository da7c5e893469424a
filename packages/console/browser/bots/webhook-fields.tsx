import { SelectField, TextField } from '../controls/field.tsx';
import { strings } from './strings.ts';

interface WebhookFieldsProps {
  readonly payloadUrl: string;
  readonly interfaceType: number;
}

/** The fields of an outgoing webhook: `payload_url` and `interface`. */
export const WebhookFields = ({ payloadUrl, interfaceType }: WebhookFieldsProps) => (
  <>
    <TextField
      label={strings.payloadUrl}
      hint={strings.payloadUrlHint}
      name="payload_url"
      type="url"
      required
      maxLength={2048}
      defaultValue={payloadUrl}
    />
    <SelectField
      label={strings.interface}
      name="interface"
      defaultValue={String(interfaceType)}
      options={Object.entries(strings.interfaces).map(([value, label]) => ({ value, label }))}
    />
  </>
);
