import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { api, type Endpoint } from '@bellhop/protocol';
import type { ExercisedRecord } from '@bellhop/server/exercised-record';

import { root } from '../support/source-files.ts';
import { contractSections } from './contract-sections.ts';
import { specSections } from './spec-sections.ts';

/** One line of the page of `npm run spec-coverage`. */
export interface CoverageRow {
  readonly section: string;
  readonly kind:
    | 'endpoint'
    | 'parameter'
    | 'error'
    | 'event'
    | 'rule'
    | 'level'
    | 'default'
    | 'values';
  readonly item: string;
  /** The test that shows the item: the path of its file from the root, ` > ` and its title. */
  readonly test: string;
}

/** The tests that compare each row of a kind with the contract. */
const comparedBy = {
  level: 'test/spec-coverage.test.ts > has the feature level of the specification',
  levels: 'test/spec-coverage.test.ts > has parameters of the feature levels of the specification',
  default: 'test/spec-coverage.test.ts > has the default of the specification',
  values: 'test/spec-coverage.test.ts > allows exactly the values of the specification',
};

/** The rows of all sections. Only rules, levels, defaults and values have a test here. */
export const specRows: readonly CoverageRow[] = [...specSections, ...contractSections].flatMap(
  ({ section, route, parameters = [], errors = [], events = [], rules = {}, ...of }) => {
    const row = (kind: CoverageRow['kind'], item: string, test = '') => ({
      section,
      kind,
      item,
      test,
    });
    return [
      ...(route === undefined ? [] : [row('endpoint', route)]),
      ...parameters.map((name) => row('parameter', `${route} ${name}`)),
      ...errors.map((error) => row('error', `${route} ${error}`)),
      ...events.map((type) => row('event', `${route} ${type}`)),
      ...(of.since === undefined ? [] : [row('level', `${route} ${of.since}`, comparedBy.level)]),
      ...Object.entries(of.parametersSince ?? {}).map(([name, since]) =>
        row('level', `${route} ${name}: ${since}`, comparedBy.levels),
      ),
      ...Object.entries(of.defaults ?? {}).map(([name, value]) =>
        row('default', `${route} ${name}: ${JSON.stringify(value)}`, comparedBy.default),
      ),
      ...Object.entries(of.values ?? {}).map(([name, values]) =>
        row('values', `${route} ${name}: ${values.join(', ')}`, comparedBy.values),
      ),
      ...Object.entries(rules).map(([rule, test]) => row('rule', rule, fromRoot(test))),
    ];
  },
);

/** Paths of rules are relative to the model or the resources of the server, unless they begin at the root. */
function fromRoot(test: string): string {
  if (test === '' || test.startsWith('test/') || test.startsWith('packages/')) return test;
  const [file = ''] = test.split(' > ');
  const isOfModel = existsSync(join(root, 'packages/server/src/model', file));
  return `packages/server/src/${isOfModel ? 'model' : 'resources'}/${test}`;
}

/**
 * The rows with the tests of a run that exercised them; the paths of the records begin at the root. A
 * row that names its test keeps it.
 */
export function coverageRows(records: readonly ExercisedRecord[]): CoverageRow[] {
  const known = new Map<string, ExercisedRecord[]>();
  for (const record of records) known.set(record.item, [...(known.get(record.item) ?? []), record]);
  return specRows.map((row) => (row.test === '' ? { ...row, test: testOf(row, known) } : row));
}

function testOf(
  { kind, item }: CoverageRow,
  known: ReadonlyMap<string, readonly ExercisedRecord[]>,
): string {
  const [method, path, ...rest] = item.split(' ');
  const route = `${method} ${path}`;
  const recorded = [route, kind, ...rest].join(' ');
  // A message of an error is known by how it begins.
  const records =
    kind === 'error'
      ? [...known].flatMap(([one, all]) => (one.startsWith(recorded) ? all : []))
      : (known.get(recorded) ?? []);
  return clearestTest(route, records);
}

/** The first test in the folder of the resource, else in that of another one, else of all. */
function clearestTest(route: string, records: readonly ExercisedRecord[]): string {
  const resource = resourceOf(route);
  const rank = ({ file }: ExercisedRecord) => {
    const [, noun] = /\/(?:model|resources)\/([^/]+)\//.exec(file) ?? [];
    return noun === undefined ? 2 : noun === resource ? 0 : 1;
  };
  const name = ({ file, title }: ExercisedRecord) => `${file} > ${title}`;
  const [first] = records.toSorted(
    (one, other) => rank(one) - rank(other) || (name(one) < name(other) ? -1 : 1),
  );
  return first ? name(first) : '';
}

/** The folder of the resource to which a route belongs: `navigation-views`. */
function resourceOf(route: string): string | undefined {
  const [resource] =
    Object.entries(api).find(([, endpoints]) =>
      Object.values<Endpoint>(endpoints).some((endpoint) => endpoint.route === route),
    ) ?? [];
  return resource?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
