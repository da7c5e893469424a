import { describe, expect, test } from 'vitest';

import { createBot } from '../create-bot.ts';
import { mention } from '../example-payload.fixture.ts';
import type { LambdaEvent } from './lambda-event.ts';
import { lambda } from './lambda.ts';

const bot = createBot({ email: 'echo-bot@chat.test', token: 'genuine' }).fallback(
  (ctx) => ctx.text,
);
const handler = lambda([bot]);
const body = JSON.stringify(mention('héllo'));
const base64 = Buffer.from(body).toString('base64');
const json = { 'content-type': 'application/json' };
const Json = { 'Content-Type': 'application/json', 'X-Forwarded-Port': '443' };
const elb = { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu:1:targetgroup/bots/1' } };
const lists = { 'content-type': ['application/json'] };

/** The events as AWS documents them, without what no adapter reads. */
const formats: Record<string, LambdaEvent> = {
  'format 2.0: a function URL or an HTTP API': {
    headers: json,
    requestContext: { http: { method: 'POST', path: '/bots' } },
    isBase64Encoded: false,
  },
  'format 1.0: a REST API': {
    httpMethod: 'POST',
    headers: Json,
    multiValueHeaders: { 'Content-Type': ['application/json'] },
    requestContext: { httpMethod: 'POST', stage: 'prod' },
    isBase64Encoded: false,
  },
  'format 1.0 without headers': {
    httpMethod: 'POST',
    headers: null,
    multiValueHeaders: null,
    requestContext: { stage: 'test-invoke-stage' },
  },
  'a load balancer': { httpMethod: 'POST', headers: json, requestContext: elb },
  'a load balancer with lists of header values': {
    httpMethod: 'POST',
    multiValueHeaders: lists,
    requestContext: elb,
  },
};

describe.each(Object.entries(formats))('%s', (_name, event) => {
  test.each([
    ['as text', { body }],
    ['in base64', { body: base64, isBase64Encoded: true }],
  ])('a delivery is answered with its reply, %s', async (_how, sent) => {
    const answer = await handler({ ...event, ...sent });
    expect(answer).toMatchObject({ statusCode: 200, isBase64Encoded: false });
    expect(JSON.parse(answer.body)).toEqual({ content: 'héllo' });
  });

  test('the signature is checked', async () => {
    const signed = {
      'Webhook-Id': 'x',
      'Webhook-Timestamp': String(Math.floor(Date.now() / 1000)),
      'Webhook-Signature': 'v1,eA==',
    };
    const inLists = Object.fromEntries(
      Object.entries(signed).map(([name, value]) => [name, [value]]),
    );
    const headers = event.headers ? { headers: { ...event.headers, ...signed } } : {};
    const multiValueHeaders = { ...event.multiValueHeaders, ...inLists };
    const { statusCode } = await handler({ ...event, ...headers, multiValueHeaders, body });
    expect(statusCode).toBe(401);
  });

  test('another method is answered with 405, an empty body with 400', async () => {
    const { requestContext: context } = event;
    const get =
      context && 'http' in context
        ? { ...event, requestContext: { http: { method: 'GET' } } }
        : { ...event, httpMethod: 'GET' };
    expect(await handler(get)).toMatchObject({ statusCode: 405, headers: { allow: 'POST' } });
    expect((await handler({ ...event, body: null })).statusCode).toBe(400);
  });
});

test('a load balancer gets its headers as lists only if it has sent lists', async () => {
  const answers = await Promise.all(
    Object.values(formats).map((event) => handler({ ...event, body })),
  );
  expect(answers.map(({ multiValueHeaders }) => multiValueHeaders)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    lists,
  ]);
});

test.each<[RegExp, unknown]>([
  [/Lambda@Edge/, { Records: [{ cf: { request: { method: 'POST' } } }] }],
  [/aws:sqs/, { Records: [{ eventSource: 'aws:sqs', body }] }],
  [/aws:sns/, { Records: [{ EventSource: 'aws:sns', Sns: {} }] }],
  [/WebSocket/, { requestContext: { connectionId: 'x', eventType: 'MESSAGE' }, body }],
  [/VPC Lattice/, { raw_path: '/bots', method: 'POST', body }],
  [
    /VPC Lattice/,
    { version: '2.0', method: 'POST', requestContext: { serviceNetworkArn: 'arn' }, body },
  ],
  [/authorizer/, { type: 'REQUEST', methodArn: 'arn', httpMethod: 'POST', headers: json }],
  [/EventBridge \(aws\.events\)/, { source: 'aws.events', 'detail-type': 'Scheduled Event' }],
  [/without its HTTP request/, mention('hi')],
  [/the keys key1, key2/, { key1: 'value1', key2: 'value2' }],
  [/the keys requestContext/, { requestContext: 'none' }],
  [/an empty object/, {}],
  [/null/, null],
  [/undefined/, undefined],
  [/string/, body],
])(
  'an event that is no request is refused with an error that names its format: %s',
  async (named, event) => {
    const refused = handler(event as LambdaEvent);
    await expect(refused).rejects.toThrow(named);
    await expect(refused).rejects.toMatchObject({ code: 'config_invalid' });
    await expect(refused).rejects.toThrow(/function URL.*API Gateway.*Load Balancer/);
  },
);

test('each value of a content-encoding counts', async () => {
  const codings = ['identity', 'gzip'];
  const answer = await handler({
    httpMethod: 'POST',
    headers: { 'Content-Encoding': 'identity' },
    multiValueHeaders: { 'Content-Encoding': codings },
    body,
  });
  expect(answer).toMatchObject({ statusCode: 415, headers: { 'accept-encoding': 'identity' } });
});

test('a body that middleware has parsed is taken', async () => {
  const event = { ...formats['format 2.0: a function URL or an HTTP API'], body: mention('hello') };
  expect((await handler(event)).body).toBe('{"content":"hello"}');
});
