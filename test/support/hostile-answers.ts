import type { Endpoint } from '@bellhop/protocol';
import type { Page } from 'playwright-core';
import { z } from 'zod';

/** A page that took this as HTML would run it. */
export const HOSTILE_NAME = '<img src=x onerror=hacked=1>';

type Json = z.core.JSONSchema.JSONSchema;
type Endpoints = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

/** Answers in which every text that has no format is hostile. */
export interface HostileAnswers {
  /** Makes a page get these answers from the listing endpoints of a contract that have such texts. */
  readonly serve: (page: Page, contract: Endpoints, prefix: string) => Promise<void>;
  /** Notes which of the texts are on the page. */
  readonly look: (page: Page) => Promise<void>;
  /** The fields whose text no page has shown so far, as `GET /keys keys.public_key`. */
  readonly unseen: () => string[];
}

/** Each text ends with the number of its field, by which `look` finds it on a page. */
export function hostileAnswers(): HostileAnswers {
  const fields: string[] = [];
  const seen = new Set<string>();
  const textOf = (field: string) => `${HOSTILE_NAME}${fields.push(field) - 1};`;
  return {
    serve: async (page, contract, prefix) => {
      for (const { route, result } of Object.values(contract).flatMap((one) =>
        Object.values(one),
      )) {
        const [method, path = ''] = route.split(' ');
        const before = fields.length;
        if (method !== 'GET' || path.includes('{')) continue;
        const [answer] = valuesOf(
          z.toJSONSchema(result, { unrepresentable: 'any' }),
          route,
          textOf,
        );
        if (fields.length === before) continue;
        await page.route(
          ({ pathname }) => pathname === `${prefix}${path}`,
          (request) => request.fulfill({ json: { result: 'success', msg: '', ...Object(answer) } }),
        );
      }
    },
    look: async (page) => {
      const html = await page.locator('#console').innerHTML();
      for (const [, number] of html.matchAll(/hacked=1(?:>|&gt;)(\d+);/g))
        seen.add(fields[Number(number)] ?? '');
    },
    unseen: () => fields.filter((field) => !seen.has(field)),
  };
}

/**
 * A value for each alternative of a schema, and one without it if it is optional. An array has an item for
 * each alternative of its items.
 */
function valuesOf(root: Json, field: string, textOf: (field: string) => string): unknown[] {
  const resolve = (json: Json): Json =>
    json.$ref === undefined ? json : ((root.$defs ?? {})[json.$ref.replace('#/$defs/', '')] ?? {});
  const values = (unresolved: Json, at: string): unknown[] => {
    const json = resolve(unresolved);
    const alternatives = (json.anyOf ?? json.oneOf) as Json[] | undefined;
    if (alternatives)
      return alternatives.filter(({ type }) => type !== 'null').flatMap((one) => values(one, at));
    if (json.const !== undefined) return [json.const];
    if (json.enum) return json.enum.slice(0, 1);
    const types: unknown[] = [json.type].flat();
    if (types.includes('array')) {
      const items = resolve(json.items as Json);
      return [items.enum ?? values(items, at)];
    }
    if (types.includes('object')) return objectsOf(json, at);
    if (types.includes('boolean')) return [true];
    const isNumber = types.includes('integer') || types.includes('number');
    return [isNumber && !types.includes('string') ? 1 : stringOf(json, at)];
  };
  const objectsOf = (json: Json, at: string) => {
    const { properties = {}, required = [], additionalProperties: rest } = json;
    const map =
      typeof rest === 'object'
        ? { [textOf(`${at} (key)`)]: values(rest as Json, `${at} (value)`)[0] }
        : {};
    const entries = Object.entries(properties).map(([name, schema]) => {
      const given = values(schema as Json, `${at}.${name}`);
      const isLeftOut = given.length > 1 && !required.includes(name);
      return [name, isLeftOut ? [...given, undefined] : given] as const;
    });
    const count = Math.max(1, ...entries.map(([, all]) => all.length));
    return Array.from({ length: count }, (_, index) => ({
      ...map,
      ...Object.fromEntries(entries.map(([name, all]) => [name, all[index % all.length]])),
    }));
  };
  const stringOf = ({ format, pattern, ...json }: Json, at: string): string => {
    if (format === 'uuid') return '5b0cf4d7-3b1a-4f3e-9d5f-1d8f5c1f2a3b';
    if (format === 'date-time') return '2026-11-23T10:00:00Z';
    if (pattern && !new RegExp(pattern, 'u').test(HOSTILE_NAME)) return String(json['example']);
    return textOf(at);
  };
  return values(root, field);
}
