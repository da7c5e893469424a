import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { api, type Endpoint, generalErrors } from '@bellhop/protocol';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { specRows } from './spec/coverage-rows.ts';
import { specSections } from './spec/spec-sections.ts';
import { root } from './support/source-files.ts';

const endpoints = new Map<string, Endpoint>(
  Object.values(api)
    .flatMap((resource) => Object.values<Endpoint>(resource))
    .map((endpoint) => [endpoint.route, endpoint]),
);

test('each rule of the specification names a title of its test file', () => {
  const missing = specRows.filter(({ kind, test: shown }) => {
    if (kind !== 'rule' || shown === '') return false;
    const [file = '', ...title] = shown.split(' > ');
    const path = join(root, file);
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(title.join(' > '));
  });
  expect(missing.map(({ item, test: shown }) => `${item}: ${shown}`)).toEqual([]);
});

const specified = specSections.flatMap(({ route, ...section }) => {
  const endpoint = route === undefined ? undefined : endpoints.get(route);
  return endpoint ? [{ endpoint, ...section }] : [];
});

describe('the contract', () => {
  const levels = specified.flatMap(({ endpoint, since }) =>
    since === undefined ? [] : [[endpoint.route, endpoint.since, since] as const],
  );
  test.each(levels)('%s has the feature level of the specification', (_route, declared, since) => {
    expect(declared).toBe(since);
  });

  const parameterLevels = specified.flatMap(({ endpoint, parametersSince }) =>
    parametersSince === undefined ? [] : [[endpoint.route, endpoint, parametersSince] as const],
  );
  test.each(parameterLevels)(
    '%s has parameters of the feature levels of the specification',
    (_route, { paramsSince }, levels) => {
      expect(paramsSince).toMatchObject(levels);
    },
  );

  const defaults = specified.flatMap(({ endpoint, defaults: values = {} }) =>
    Object.entries(values).map(([name, value]) => [endpoint.route, name, value, endpoint] as const),
  );
  test.each(defaults)(
    '%s %s has the default of the specification',
    (_route, name, value, { params }) => {
      const schema = params.shape[name] as z.ZodType;
      expect(schema.parse(undefined)).toEqual(value);
    },
  );

  const allowed = specified.flatMap(({ endpoint, values = {} }) =>
    Object.entries(values).map(([name, all]) => [endpoint.route, name, all, endpoint] as const),
  );
  test.each(allowed)(
    '%s %s allows exactly the values of the specification',
    (_route, name, all, { params }) => {
      const schema = params.shape[name] as z.ZodType;
      const isAllowed = (value: unknown) => schema.safeParse(value).success;
      expect(all.filter((value) => !isAllowed(value))).toEqual([]);
      const served = [...all.map(String), ...(furtherValues[name] ?? [])];
      expect(listedValues(schema).toSorted()).toEqual(served.toSorted());
      expect(isAllowed('no such value')).toBe(false);
    },
  );
});

/** Values beside those of the specification: of public clients, and extensions of our own. */
const furtherValues: Readonly<Record<string, readonly string[]>> = {
  emojiset: ['google', 'google-blob', 'twitter'],
  token_kind: ['webpush'],
  web_home_view: ['recent'],
};

/** All values that a schema lists, as text. */
function listedValues(schema: z.ZodType): string[] {
  const listed: string[] = [];
  const visit = (part: z.core.JSONSchema._JSONSchema): void => {
    if (typeof part === 'boolean') return;
    for (const one of [...(part.anyOf ?? []), ...(part.oneOf ?? [])]) visit(one);
    for (const value of [...(part.enum ?? []), ...(part.const === undefined ? [] : [part.const])])
      listed.push(String(value));
  };
  visit(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return listed;
}

test('the contract has every parameter, error and event of the endpoints that exist', () => {
  const absent = specSections.flatMap(({ route, parameters = [], errors = [], events = [] }) => {
    const endpoint = route === undefined ? undefined : endpoints.get(route);
    if (!endpoint) return [];
    const codes: readonly string[] = [...generalErrors, ...endpoint.errors];
    const known = [...Object.keys(endpoint.params.shape), ...Object.keys(endpoint.aliases)];
    return [
      ...parameters
        .filter((name) => !known.includes(name))
        .map((name) => `parameter ${route} ${name}`),
      ...errors
        .filter((error) => !codes.includes(error.split(':')[0] ?? ''))
        .map((error) => `error ${route} ${error}`),
      ...events
        .filter((type) => !endpoint.emits.includes(type))
        .map((type) => `event ${route} ${type}`),
    ];
  });
  expect(absent).toEqual([]);
});
