import { z } from 'zod';

import { controlRoutes } from './control-routes.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the control API, for `GET /openapi.json`. */
export function controlOpenapi(): Json {
  const paths: Record<string, Json> = {};
  for (const { route, summary, query, body, answer } of controlRoutes) {
    const [method = '', path = ''] = route.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = {
      summary,
      parameters: [...pathParameters(path), ...queryParameters(query)],
      ...(body === undefined ? {} : { requestBody: { required: true, ...jsonOf(body, 'input') } }),
      responses: {
        200: { description: 'Done', ...jsonOf(answer, 'output') },
        default: { description: 'Refused', ...jsonOf(z.object({ error: z.string() }), 'output') },
      },
    };
  }
  paths['/events'] = {
    get: {
      summary: 'Requests, notifications, phones, faults and scenarios as they occur',
      responses: { 200: { description: 'One event a line', content: { 'text/event-stream': {} } } },
    },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the push simulator',
      version: '1',
      description: 'Phones, faults, scenarios and the request log of simulated APNs and FCM.',
    },
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}

function jsonOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  return { content: { 'application/json': { schema: schemaOf(schema, io) } } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

function pathParameters(path: string): Json[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (query === undefined) return [];
  const properties = schemaOf(query, 'output')['properties'] as Record<string, Json>;
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
}
