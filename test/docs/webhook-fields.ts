import { api, openapi, outgoingWebhooks } from '@bellhop/protocol';

type Json = Readonly<Record<string, unknown>>;
interface Schema extends Json {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly deprecated?: boolean;
}
interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Operation {
  readonly parameters: readonly {
    readonly name: string;
    readonly description: string;
    readonly schema: Schema;
  }[];
  readonly requestBody: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: {
    readonly '2XX': { readonly content: Readonly<Record<string, Content>> };
  };
}

/** Writes the tables of the fields of a webhook, from the schemas, between the markers of a page. */
export function withWebhookFields(page: string): string {
  const parts = webhookFields();
  return page.replaceAll(
    /(<!-- fields: ([\w ]+) -->\n)[\s\S]*?(?=<!-- end of fields -->)/g,
    (_all, marker: string, name: string) => {
      const part = parts[name];
      if (part === undefined)
        throw new Error(`${name} is not one of: ${Object.keys(parts).join(', ')}.`);
      return `${marker}\n${part}\n\n`;
    },
  );
}

function webhookFields(): Readonly<Record<string, string>> {
  const document = openapi(api, {
    title: '',
    version: '',
    server: '',
    webhooks: outgoingWebhooks,
  }) as unknown as {
    readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (document.components.schemas[name] ?? {});
  };
  const operation = (name: string): Operation => {
    const found = document.webhooks[name];
    if (!found) throw new Error(`There is no webhook ${name}.`);
    return found.post;
  };
  const only = (content: Readonly<Record<string, Content>>): Content =>
    Object.values(content)[0] ?? { schema: {} };
  const tableOf = (schema: Schema) => fieldTable(resolve(schema), resolve);
  const generic = operation('outgoing-webhook');
  const slack = operation('slack-compatible-outgoing-webhook');
  const payload = only(generic.requestBody.content);
  const { message = {}, change = {} } = resolve(payload.schema).properties ?? {};
  const headers = generic.parameters.map(({ name, description, schema }) => [
    name,
    { ...schema, description },
  ]);
  return {
    headers: tableOf({ properties: Object.fromEntries(headers) as Record<string, Schema> }),
    payload: tableOf(payload.schema),
    message: tableOf(message),
    change: tableOf(change),
    example: `\`\`\`json\n${JSON.stringify(payload.example, null, 2)}\n\`\`\``,
    answer: tableOf(only(generic.responses['2XX'].content).schema),
    'slack payload': tableOf(only(slack.requestBody.content).schema),
    'slack answer': tableOf(only(slack.responses['2XX'].content).schema),
  };
}

function fieldTable({ properties = {} }: Schema, resolve: (schema: Schema) => Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { description = '', deprecated } = schema;
    const meaning = deprecated ? `${description}; old` : description;
    return `| \`${name}\` | ${typeOf(schema, resolve)} | ${meaning} |`;
  });
  return ['| field | type | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The type of a field in words. */
function typeOf(schema: Schema, resolve: (schema: Schema) => Schema): string {
  const { type, enum: values, anyOf, items, properties } = resolve(schema);
  if (anyOf) return anyOf.map((one) => typeOf(one, resolve)).join(' or ');
  if (values && values.length <= MOST_NAMES)
    return values.map((value) => `\`${value}\``).join(', ');
  if (items) return `list of ${typeOf(items, resolve)}`;
  if (properties) {
    const names = Object.keys(properties).map((name) => `\`${name}\``);
    return names.length > MOST_NAMES ? 'object' : `{${names.join(', ')}}`;
  }
  if (type === undefined) return 'any';
  return [type]
    .flat()
    .map((one) => (one === 'string' ? 'text' : one))
    .join(' or ');
}

/** More fields or values are not listed in a cell. */
const MOST_NAMES = 8;
