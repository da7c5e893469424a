import { assessGenuine, problemInRefusal } from '../assess.ts';
import type { Check, CheckGroup } from '../check.ts';
import { type CheckResult, fault, ok, warning } from '../finding.ts';
import { isAlive } from '../is-alive.ts';
import { directMessage, mention, withMessage } from '../payloads.ts';
import { isSuccess, type PostOptions, type PostResult } from '../post.ts';
import type { Target } from '../target.ts';
import { shown } from './credentials.ts';

/** A request that no server sends. The endpoint must go on answering; `assess` decides about the rest. */
const survives = (
  check: string,
  request: (target: Target) => Partial<PostOptions>,
  assess: (answer: PostResult) => CheckResult,
): Check => ({
  check,
  async run(target) {
    const answer = await target.send(request(target));
    if (!(await isAlive(target)))
      return fault(
        `${shown(answer)}, then no answers at all`,
        'Anybody can stop it with one request: catch the errors of parsing, and handle every rejected promise.',
      );
    return problemInRefusal(answer, target) ?? assess(answer);
  },
});

/** A request without a token: the endpoint must not answer with success. */
const notADelivery = (check: string, request: Partial<PostOptions>): Check =>
  survives(
    check,
    () => request,
    (answer) =>
      isSuccess(answer)
        ? warning(
            shown(answer),
            'It did not check a token: answer a request that is not a delivery with 400 before doing anything.',
          )
        : ok(shown(answer)),
  );

/** A delivery with a valid token and invalid fields: any answer below 500 is right. */
const invalidDelivery = (check: string, payload: (target: Target) => object): Check =>
  survives(
    check,
    (target) => ({ body: JSON.stringify(payload(target)) }),
    (answer) => ok(shown(answer)),
  );

const wrongType: Check = {
  check: 'a genuine delivery as text/plain',
  async run(target) {
    const body = JSON.stringify(directMessage(target));
    const answer = await target.send({ body, headers: { 'content-type': 'text/plain' } });
    if (answer.kind === 'response' && answer.status >= 400 && answer.status < 500)
      return ok(shown(answer), 'Servers send application/json, so it may refuse other types.');
    return assessGenuine(answer, target);
  },
};

const getRequest: Check = {
  check: 'GET instead of POST',
  async run(target) {
    const answer = await target.send({ method: 'GET' });
    const problem = problemInRefusal(answer, target);
    return problem ?? ok(shown(answer), 'A web page at the same address is fine.');
  },
};

const DEPTH = 100_000;

const bytes = {
  async *[Symbol.asyncIterator]() {
    yield Buffer.from([0xff, 0xfe, 0x00, 0x7b]);
  },
};

/** Requests that are not deliveries, and deliveries with invalid fields. */
export const malformed: CheckGroup = {
  group: 'malformed requests',
  checks: [
    notADelivery('an empty body', { body: '' }),
    notADelivery('a body that is not JSON', { body: '{"token": ' }),
    notADelivery('bytes that are not UTF-8', { body: bytes }),
    notADelivery('a JSON list', { body: '[{"token":1}]' }),
    notADelivery('the JSON null', { body: 'null' }),
    notADelivery('an empty JSON object', { body: '{}' }),
    notADelivery(`JSON ${DEPTH.toLocaleString('en')} levels deep`, {
      body: `{"token":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`,
    }),
    notADelivery('a form', {
      body: 'token=x&bot_email=y',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    invalidDelivery('no message', (target) => ({ ...directMessage(target), message: undefined })),
    invalidDelivery('a message that is a string', (target) => ({
      ...directMessage(target),
      message: 'hello',
    })),
    invalidDelivery('a message that is null', (target) => ({
      ...directMessage(target),
      message: null,
    })),
    invalidDelivery('content that is a number', (target) =>
      withMessage(directMessage(target), { content: 5 }),
    ),
    invalidDelivery('a mention without a channel', (target) =>
      withMessage(mention(target), { display_recipient: null, stream_id: undefined }),
    ),
    wrongType,
    getRequest,
  ],
};
