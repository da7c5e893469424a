import { expect, test } from 'vitest';

import { api } from '../api/api.ts';
import { outgoingWebhooks } from '../webhooks/openapi-webhooks.ts';
import type { Endpoint } from './endpoint.ts';
import { openapi } from './openapi.ts';
import { pathVariables, splitRoute } from './route.ts';
import { decodeParams } from './wire.ts';

const document = openapi(api, { title: 'Bellhop', version: '1', server: '/api/v1' }) as {
  paths: Record<
    string,
    Record<string, { responses: Record<string, unknown>; parameters?: { name: string }[] }>
  >;
  components: { schemas: Record<string, unknown> };
};

test('the document has every operation with its parameters and errors', () => {
  const described = Object.values(document.paths).flatMap((path) => Object.keys(path));
  expect(described).toHaveLength(
    Object.values(api).flatMap((resource) => Object.keys(resource)).length,
  );
  const fetch = document.paths['/messages']?.['get'];
  expect(fetch?.parameters?.map(({ name }) => name)).toContain('narrow');
  expect(JSON.stringify(fetch?.responses['400'])).toContain('BAD_NARROW');
});

test('every $ref names a component', () => {
  const text = JSON.stringify(document);
  const named = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1]);
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect(Object.keys(document.components.schemas)).toContain(name);
});

interface Example {
  readonly example: unknown;
}
interface Documented {
  readonly parameters: readonly ({ name: string; in: string } & Partial<Example> & {
      content?: Record<string, Example>;
    })[];
  readonly requestBody?: { readonly content: Record<string, Example> };
  readonly responses: Record<string, { readonly content: Record<string, Example> }>;
}
const endpoints = Object.values(api).flatMap((resource): Endpoint[] => Object.values(resource));

test.each(endpoints.map((endpoint) => [endpoint.route, endpoint] as const))(
  'the examples of %s are a valid request and a valid response',
  (route, endpoint) => {
    const [method, path] = splitRoute(route);
    const operation = document.paths[path]?.[method.toLowerCase()] as Documented | undefined;
    if (!operation) throw new Error('it is not documented');
    const parameters = operation.parameters.map(({ name, example, content }) => [
      name,
      example ?? content?.['application/json']?.example,
    ]);
    const { 'application/json': json, 'application/x-www-form-urlencoded': form } =
      operation.requestBody?.content ?? {};
    const values = { ...Object.fromEntries(parameters), ...((json ?? form)?.example as object) };
    const fields = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' || json ? value : JSON.stringify(value),
      ]),
    );
    const inPath = pathVariables(route).map((name) => [name, String(values[name])]);
    const ignored = new Set([...pathVariables(route), ...endpoint.unused(values)]);
    expect(decodeParams(endpoint, { fields, path: Object.fromEntries(inPath) }).ignored).toEqual(
      Object.keys(fields).filter((name) => ignored.has(name)),
    );
    const success = operation.responses[200] ?? operation.responses[302];
    const { error } = endpoint.result.safeParse(success?.content['application/json']?.example);
    expect(error).toBeUndefined();
  },
);

test.each(Object.entries(outgoingWebhooks))(
  'the examples of %s match its schemas',
  (_name, { payload, example, response, responses }) => {
    expect(Object.keys(payload.parse(example)).toSorted()).toEqual(Object.keys(example).toSorted());
    for (const { value } of Object.values(responses)) expect(response.parse(value)).toEqual(value);
  },
);

test('a bigint parameter has the format int64', () => {
  expect(JSON.stringify(document.paths['/mobile_push/register'])).toContain('"format":"int64"');
});
