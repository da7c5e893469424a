import type { z } from 'zod';

import { type JsonObject, jsonSchema } from './json-schema.ts';

/** A request that the service sends to an address which a user has set. */
export interface WebhookDefinition {
  readonly summary: string;
  readonly description: string;
  readonly contentType: 'application/json' | 'application/x-www-form-urlencoded';
  readonly headers: z.ZodObject;
  readonly payload: z.ZodObject;
  readonly example: JsonObject;
  readonly response: z.ZodObject;
  /** Responses by title, with their effect. */
  readonly responses: Readonly<
    Record<string, { readonly summary: string; readonly value: JsonObject }>
  >;
}

/** The OpenAPI operation of a webhook. Adds the named schemas that it refers to to `schemas`. */
export function webhookOperation(webhook: WebhookDefinition, schemas: JsonObject): JsonObject {
  const { summary, description, contentType, headers, payload, example, response, responses } =
    webhook;
  const { properties } = jsonSchema(headers, 'output', schemas);
  return {
    summary,
    description,
    security: [],
    parameters: Object.entries(properties as Record<string, JsonObject>).map(
      ([name, { description: about, ...schema }]) => ({
        name,
        in: 'header',
        required: true,
        description: about,
        schema,
      }),
    ),
    requestBody: {
      required: true,
      content: { [contentType]: { schema: jsonSchema(payload, 'output', schemas), example } },
    },
    responses: {
      '2XX': {
        description: 'The delivery has arrived. The body is JSON, whatever its Content-Type.',
        content: {
          'application/json': {
            schema: jsonSchema(response, 'input', schemas),
            examples: responses,
          },
        },
      },
      default: {
        description:
          'The delivery has failed, and the owner of the bot is warned. It is repeated before that only after 429 or 503 with a `Retry-After` of at most a minute, a lost connection, or no response in time.',
      },
    },
  };
}
