import { isDeepStrictEqual } from 'node:util';

import {
  api,
  bouncer,
  bouncerV1,
  type Contract,
  type Endpoint,
  encodeParams,
  pathVariables,
  stringifyJson,
} from '@bellhop/protocol';
import type { Sample } from '@bellhop/server/contract-fixtures';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { databaseDigest } from './support/database-digest.ts';
import { expectDocumentedResponse, expectError } from './support/expect-response.ts';
import { freezeAccounts } from './support/freeze-accounts.ts';
import { freezePermissions } from './support/freeze-permissions.ts';
import {
  type SizedValue,
  sizedValues,
  smallestValue,
  unlimitedParts,
} from './support/parameter-limits.ts';
import { type PushStack, startPushStack } from './support/push-stack.ts';
import { type RawRequest, requestOf, sendRequest } from './support/raw-request.ts';
import { requiredOf, sampleOf, SpareSample } from './support/sample-parameters.ts';

let stack: PushStack;
let bot: { email: string; api_key: string };

beforeAll(async () => {
  stack = await startPushStack();
  const { chat } = stack;
  await freezeAccounts(chat);
  await freezePermissions(chat);
  await chat.addPerson('horatio', undefined, { password: 'a long password 4' });
  const { hamlet } = chat.people;
  const { api_key } = await hamlet.client.bots.create({ full_name: 'Bot', short_name: 'limits' });
  bot = { email: 'limits-bot@chat.test', api_key };
  // The chat server registers itself and announces its realm in the background.
  const realms = () => stack.tables.selectFrom('remote_realm').selectAll().execute();
  await vi.waitFor(async () => expect(await realms()).toHaveLength(1), { timeout: 15_000 });
});
afterAll(() => stack[Symbol.asyncDispose]());

const byRoute = (contract: Contract) =>
  Object.values(contract)
    .flatMap((resource) => Object.values(resource))
    .map((endpoint) => [endpoint.route, endpoint] as const);

/** A request with `sized` as the value of its parameter. */
function requestWith(endpoint: Endpoint, sample: Sample, sized: SizedValue): RawRequest {
  const { value } = sized;
  const name = parameterOf(sized);
  const isInPath = pathVariables(endpoint.route).includes(name);
  if (endpoint.body === 'json') {
    const values = { ...requiredValues(endpoint), ...(isInPath ? {} : { [name]: value }) };
    const request = requestOf(endpoint, isInPath ? { ...sample, [name]: String(value) } : sample);
    return { ...request, type: 'application/json', form: stringifyJson(values) };
  }
  const [field] = isInPath ? [] : encodeParams(endpoint, '', { [name]: value }).fields;
  const request = requestOf(endpoint, { ...sample, [name]: field?.[1] ?? String(value) });
  const [path = '', query] = request.path.split('?');
  // A query would be longer than the headers of a request may be.
  return query && query.length > 4000
    ? { method: 'POST', path, form: `method=${request.method}&${query}` }
    : request;
}

const parameterOf = ({ path }: SizedValue) => /^\w+/.exec(path)?.[0] ?? '';

const requiredValues = (endpoint: Endpoint) =>
  Object.fromEntries(
    requiredOf(endpoint).map((name) => [name, smallestValue(endpoint.params.shape[name] as never)]),
  );

interface Service {
  readonly contract: Contract;
  readonly sampleOf: (endpoint: Endpoint) => Promise<Sample> | Sample;
  readonly send: (endpoint: Endpoint, request: RawRequest) => ReturnType<typeof sendRequest>;
  readonly database: () => Kysely<never>;
}
const services: Record<string, Service> = {
  'the server': {
    contract: api,
    sampleOf: (endpoint) => sampleOf(endpoint, stack.chat),
    send: ({ access }, request) => {
      const credentials = access === 'bot' ? bot : stack.chat.people.desdemona;
      return sendRequest(stack.chat.url, { ...request, credentials });
    },
    database: () => stack.chat.server.app.db.kysely as never,
  },
  'the bouncer': bouncerService(bouncer, '/api/v1/remotes'),
  'version 1 of the bouncer': bouncerService(bouncerV1, '/v1'),
};

function bouncerService(contract: Contract, prefix: string): Service {
  return {
    contract,
    sampleOf(endpoint) {
      const values: Record<string, unknown> = requiredValues(endpoint);
      const inPath = pathVariables(endpoint.route).map((name) => [name, String(values[name])]);
      return Object.fromEntries([...encodeParams(endpoint, '', values).fields, ...inPath]);
    },
    send: (_endpoint, request) =>
      sendRequest(stack.bouncerUrl, {
        ...request,
        prefix,
        credentials: { email: stack.org.id, api_key: stack.org.key },
      }),
    database: () => stack.tables as never,
  };
}

describe.each(Object.entries(services))('%s', (_name, service) => {
  const endpoints = byRoute(service.contract);

  test.each(endpoints)(
    '%s has an upper limit for each text, list, map and number',
    (_route, endpoint) => {
      const unlimited = Object.entries(endpoint.params.shape).flatMap(([name, schema]) =>
        unlimitedParts(schema, name),
      );
      expect(unlimited).toEqual([]);
    },
  );

  const limited = endpoints.filter(([, { params }]) => Object.keys(params.shape).length > 0);
  const sized = ({ params }: Endpoint, excess: 0 | 1) =>
    Object.entries(params.shape).flatMap(([name, schema]) => sizedValues(schema, name, excess));

  /** Sends one more than each limit, which is refused. */
  async function exceed(endpoint: Endpoint, sample: Sample): Promise<void> {
    for (const one of sized(endpoint, 1)) {
      if (endpoint.meaningless(sample).includes(parameterOf(one))) continue;
      const answer = await service.send(endpoint, requestWith(endpoint, sample, one));
      const about = `${one.path} beyond ${one.limit}`;
      expectDocumentedResponse(endpoint, answer, about);
      expectError(answer, 'BAD_REQUEST', about);
      expect(answer.body['var_name'], about).toBe(parameterOf(one));
      if (one.isNamed) expect(answer.body['msg'], about).toContain(String(one.limit));
    }
  }

  describe('a limit', () => {
    const samples = new Map<Endpoint, Sample>();
    const digest = () => databaseDigest(service.database());
    let before: Awaited<ReturnType<typeof digest>> | undefined;
    // A test, since some samples wait by expect.poll().
    test('each endpoint has a sample to exceed it', { timeout: 120_000 }, async () => {
      for (const [, endpoint] of limited) samples.set(endpoint, await service.sampleOf(endpoint));
      // Jobs of the samples may still write: until two digests are equal.
      const settled = async () => isDeepStrictEqual(before, (before = await digest()));
      await expect.poll(settled, { interval: 500 }).toBe(true);
      expect(samples.size).toBe(limited.length);
    });

    test.each(limited)(
      'a value beyond it is refused by %s, which names the limit',
      (_route, endpoint) => exceed(endpoint, samples.get(endpoint) ?? {}),
    );

    test('no endpoint stores a value beyond it', { timeout: 120_000 }, async () => {
      if (isDeepStrictEqual(await digest(), before)) return;
      // The requests of one endpoint at a time show which one stores something.
      const storing: string[] = [];
      for (const [route, endpoint] of limited) {
        const unchanged = await digest();
        await exceed(endpoint, samples.get(endpoint) ?? {});
        if (!isDeepStrictEqual(await digest(), unchanged)) storing.push(route);
      }
      expect(storing).toEqual([]);
      // Fails for rows that an endpoint stores only the first time.
      expect(await digest()).toEqual(before);
    });
  });

  test.each(limited)('%s answers a value as large as its limit', async (_route, endpoint) => {
    const spare = new SpareSample(service.sampleOf);
    for (const one of sized(endpoint, 0)) {
      const sample = await spare.of(endpoint);
      const answer = await service.send(endpoint, requestWith(endpoint, sample, one));
      spare.answered(endpoint, answer);
      expectDocumentedResponse(endpoint, answer, `${one.path} of ${one.limit}`);
    }
  });
});
