import { expect, test } from 'vitest';

import { api } from './api.ts';
import { outgoingWebhooks } from './openapi-webhooks.ts';
import { openapi } from './openapi.ts';

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
