import { z } from 'zod';

/** The fields of a JSON schema that this part reads. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly items?: Schema | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: unknown;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly maxProperties?: number | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly 'x-feature-level'?: number | undefined;
}

const SchemaShape = z.custom<Schema>((value) => typeof value === 'object' && value !== null);
const Content = z.record(
  z.string(),
  z.object({ schema: SchemaShape.optional(), example: z.unknown().optional() }),
);
const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().optional(),
  'x-access': z.string(),
  'x-feature-level': z.int(),
  'x-emits': z.array(z.string()),
  'x-permissions': z
    .array(z.object({ to: z.string(), grants: z.array(z.string()), when: z.string().optional() }))
    .optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean(),
        description: z.string().optional(),
        schema: SchemaShape.optional(),
        content: Content.optional(),
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), content: Content.optional() }),
  ),
});
export type DocumentedOperation = z.output<typeof Operation>;

const Document = z.object({
  info: z.object({ version: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), SchemaShape) }),
});
export type OpenApiDocument = z.output<typeof Document>;

let loaded: Promise<OpenApiDocument> | undefined;

/** The document that this server serves at `/api/openapi.json`, fetched once. */
export function openapiDocument(): Promise<OpenApiDocument> {
  loaded ??= fetch('/api/openapi.json', { signal: AbortSignal.timeout(30_000) })
    .then(async (response) => Document.parse(await response.json()))
    .catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
  return loaded;
}
