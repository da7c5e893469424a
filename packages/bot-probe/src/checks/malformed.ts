import { assessGenuine, troubleInRefusal } from '../assess.ts';
import type { Check, Group } from '../check.ts';
import { fault, ok, type Outcome, warning } from '../finding.ts';
import { isAlive } from '../is-alive.ts';
import { directMessage, mention, withMessage } from '../payloads.ts';
import type { Answer, Posted } from '../post.ts';
import type { Target } from '../target.ts';
import { shown } from './credentials.ts';

/** Something no server sends: the endpoint must survive it, and answer as one that looked at it. */
const odd = (
  check: string,
  request: (target: Target) => Partial<Posted>,
  judge: (answer: Answer) => Outcome,
): Check => ({
  check,
  async run(target) {
    const answer = await target.send(request(target));
    if (!(await isAlive(target)))
      return fault(
        `${shown(answer)}, and gone since`,
        'One request of anybody ends it for everybody: catch what parsing throws, and let nothing that is rejected go unhandled.',
      );
    return troubleInRefusal(answer, target) ?? judge(answer);
  },
});

const nonsense = (check: string, request: Partial<Posted>): Check =>
  odd(
    check,
    () => request,
    (answer) =>
      answer.kind === 'answer' && answer.status >= 200 && answer.status < 300
        ? warning(
            shown(answer),
            'It cannot have checked a token here: answer 400 to what is no delivery, before anything is done.',
          )
        : ok(shown(answer)),
  );

/** With the right token, so that it may be answered like any delivery. */
const misshapen = (check: string, payload: (target: Target) => object): Check =>
  odd(
    check,
    (target) => ({ body: JSON.stringify(payload(target)) }),
    (answer) => ok(shown(answer)),
  );

const wrongType: Check = {
  check: 'a genuine delivery as text/plain',
  async run(target) {
    const body = JSON.stringify(directMessage(target));
    const answer = await target.send({ body, headers: { 'content-type': 'text/plain' } });
    if (answer.kind === 'answer' && answer.status >= 400 && answer.status < 500)
      return ok(shown(answer), 'Servers send application/json, so it may refuse anything else.');
    return assessGenuine(answer, target);
  },
};

const asked: Check = {
  check: 'GET instead of POST',
  async run(target) {
    const answer = await target.send({ method: 'GET' });
    const trouble = troubleInRefusal(answer, target);
    return trouble ?? ok(shown(answer), 'A page for people at the same address is fine.');
  },
};

const DEPTH = 100_000;

const bytes = {
  async *[Symbol.asyncIterator]() {
    yield Buffer.from([0xff, 0xfe, 0x00, 0x7b]);
  },
};

/** What nobody should send, and somebody will. */
export const malformed: Group = {
  group: 'malformed requests',
  checks: [
    nonsense('an empty body', { body: '' }),
    nonsense('a body that is no JSON', { body: '{"token": ' }),
    nonsense('bytes that are no text', { body: bytes }),
    nonsense('a JSON list', { body: '[{"token":1}]' }),
    nonsense('the JSON null', { body: 'null' }),
    nonsense('an object without anything', { body: '{}' }),
    nonsense(`JSON ${DEPTH.toLocaleString('en')} levels deep`, {
      body: `{"token":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`,
    }),
    nonsense('a form', {
      body: 'token=x&bot_email=y',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    misshapen('no message', (target) => ({ ...directMessage(target), message: undefined })),
    misshapen('a message that is a text', (target) => ({
      ...directMessage(target),
      message: 'hello',
    })),
    misshapen('a message that is null', (target) => ({ ...directMessage(target), message: null })),
    misshapen('content that is a number', (target) =>
      withMessage(directMessage(target), { content: 5 }),
    ),
    misshapen('a mention without a channel', (target) =>
      withMessage(mention(target), { display_recipient: null, stream_id: undefined }),
    ),
    wrongType,
    asked,
  ],
};
