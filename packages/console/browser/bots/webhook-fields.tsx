import { SelectField, TextField } from '../controls/field.tsx';

const interfaceNames = { 1: 'Generic (JSON)', 2: 'Slack-compatible (form)' } as Readonly<
  Record<number, string>
>;

interface WebhookFieldsProps {
  readonly payloadUrl: string;
  readonly interfaceType: number;
  /** The parameter of the address: that of a new bot, or of one that is changed. */
  readonly urlName: 'payload_url' | 'service_payload_url';
}

/** The fields of an outgoing webhook: `payload_url` and `interface`. */
export const WebhookFields = ({ payloadUrl, interfaceType, urlName }: WebhookFieldsProps) => (
  <>
    <TextField
      label="Payload URL"
      hint="The address of your program, where the server sends messages."
      name={urlName}
      type="url"
      required
      maxLength={2048}
      defaultValue={payloadUrl}
    />
    <SelectField
      label="Interface"
      name="interface"
      defaultValue={String(interfaceType)}
      options={Object.entries(interfaceNames).map(([value, label]) => ({ value, label }))}
    />
  </>
);
