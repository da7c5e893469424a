import { z } from 'zod';

import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../values/limits.ts';
import type { Contract, Endpoint } from './endpoint.ts';
import { errorExtra } from './error-extra.ts';
import { type ErrorCode, errors, generalErrors } from './errors.ts';
import { type JsonObject, jsonSchema } from './json-schema.ts';
import { addExamples, type Operation } from './openapi-examples.ts';
import { pathVariables, splitRoute } from './route.ts';
import { type WebhookDefinition, webhookOperation } from './webhook-operation.ts';

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly server: string;
  readonly description?: string;
  /** Requests that the service itself sends, by name. */
  readonly webhooks?: Readonly<Record<string, WebhookDefinition>>;
}

/** Generates the OpenAPI 3.1 document of a contract. */
export function openapi(
  contract: Contract,
  { server, webhooks = {}, ...info }: ApiInfo,
): JsonObject {
  const schemas: JsonObject = {};
  const paths: Record<string, JsonObject> = {};
  for (const [resource, endpoints] of Object.entries(contract))
    for (const [operation, endpoint] of Object.entries(endpoints)) {
      const [method, path] = splitRoute(endpoint.route);
      (paths[path] ??= {})[method.toLowerCase()] = {
        operationId: `${resource}.${operation}`,
        tags: [resource],
        summary: endpoint.summary,
        ...(endpoint.description ? { description: endpoint.description } : {}),
        ...(endpoint.access === 'anyone' ? { security: [] } : {}),
        ...(endpoint.access === 'optional' ? { security: [{}, { basic: [] }] } : {}),
        'x-access': endpoint.access,
        ...(endpoint.permissions.length > 0 ? { 'x-permissions': endpoint.permissions } : {}),
        'x-feature-level': endpoint.since,
        'x-emits': endpoint.emits,
        ...request(endpoint, schemas),
        responses: responses(endpoint, schemas),
      };
    }
  addExamples(
    Object.values(paths).flatMap((path) => Object.values(path) as Operation[]),
    schemas,
  );
  const operations = Object.entries(webhooks).map(([name, definition]) => [
    name,
    { post: webhookOperation(definition, schemas) },
  ]);
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: server }],
    security: [{ basic: [] }],
    paths,
    ...(operations.length > 0 ? { webhooks: Object.fromEntries(operations) } : {}),
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'E-mail address and API key' },
      },
      schemas,
    },
  };
}

function request(endpoint: Endpoint, schemas: JsonObject): JsonObject {
  const inPath = pathVariables(endpoint.route);
  const schema = jsonSchema(endpoint.params, 'input', schemas);
  const properties = withLevels(schema['properties'] as Record<string, JsonObject>, endpoint);
  const required = new Set((schema['required'] as string[] | undefined) ?? []);
  const [method] = splitRoute(endpoint.route);
  const parameter = (name: string, place: 'path' | 'query') => {
    const { description, ...of } = properties[name] ?? {};
    const isScalar =
      of['type'] === 'string' || of['type'] === 'integer' || of['type'] === 'boolean';
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(description ? { description } : {}),
      ...(isScalar ? { schema: of } : { content: { 'application/json': { schema: of } } }),
    };
  };
  const fields = Object.keys(properties).filter((name) => !inPath.includes(name));
  const path = [
    ...inPath.map((name) => parameter(name, 'path')),
    ...(endpoint.hasIdempotencyKey ? [idempotencyKey] : []),
  ];
  if (endpoint.body === 'file')
    return {
      parameters: [...path, ...fields.map((name) => parameter(name, 'query'))],
      requestBody: { required: true, content: { 'multipart/form-data': { schema: oneFile } } },
    };
  if (method === 'GET' || method === 'DELETE')
    return { parameters: [...path, ...fields.map((name) => parameter(name, 'query'))] };
  if (fields.length === 0) return { parameters: path };
  const body = {
    ...schema,
    properties: Object.fromEntries(fields.map((name) => [name, properties[name]])),
    required: [...required].filter((name) => fields.includes(name)),
  };
  const type = endpoint.body === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const content: JsonObject = { [type]: { schema: body } };
  if (endpoint.fileLimit !== undefined)
    content['multipart/form-data'] = {
      schema: { ...body, properties: { ...body.properties, ...oneFile.properties } },
    };
  return { parameters: path, requestBody: { content } };
}

/** The schemas of parameters, each with the feature level that added it, if it is newer than its endpoint. */
const withLevels = (properties: Record<string, JsonObject>, { paramsSince }: Endpoint) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const level = paramsSince[name];
      return [name, level === undefined ? schema : { ...schema, 'x-feature-level': level }];
    }),
  );

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the caller. A request that is sent again with the same key within a day gets the first answer, and is carried out once.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
};

const oneFile = {
  type: 'object',
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['file'],
};

function responses(endpoint: Endpoint, schemas: JsonObject): JsonObject {
  const result = jsonSchema(endpoint.result, 'output', schemas);
  const properties = {
    result: { const: 'success' },
    msg: { const: '' },
    ignored_parameters_unsupported: { type: 'array', items: { type: 'string' } },
    ...(result['properties'] as JsonObject),
  };
  const required = ['result', 'msg', ...((result['required'] as string[] | undefined) ?? [])];
  const success = { type: 'object', properties, required };
  const byStatus = Map.groupBy(
    new Set<ErrorCode>([...generalErrors, ...endpoint.errors]),
    (code) => errors[code].status,
  );
  const content = { 'application/json': { schema: success } };
  const location = { description: 'The `url`', schema: { type: 'string' } };
  return {
    ...(endpoint.redirects
      ? { 302: { description: 'Redirect', headers: { location }, content } }
      : { 200: { description: 'Success', content } }),
    ...Object.fromEntries(
      [...byStatus].map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `${code}: ${errors[code].text}`).join('\n\n'),
          content: {
            'application/json': {
              schema: { oneOf: codes.map((code) => errorSchema(code, schemas)) },
            },
          },
        },
      ]),
    ),
  };
}

/** Adds the schema of an error to `schemas`. Returns a reference to it. */
function errorSchema(code: ErrorCode, schemas: JsonObject): JsonObject {
  const keys = errorExtra(code);
  const extra = keys && z.toJSONSchema(keys);
  schemas[code] = {
    type: 'object',
    properties: {
      result: { const: 'error' },
      msg: { type: 'string' },
      code: { const: code },
      ...extra?.properties,
    },
    required: ['result', 'msg', 'code', ...(extra?.required ?? [])],
  };
  return { $ref: `#/components/schemas/${code}` };
}
