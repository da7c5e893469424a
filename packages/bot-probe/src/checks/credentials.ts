import { problemInRefusal } from '../assess.ts';
import type { Check, CheckGroup } from '../check.ts';
import { type CheckResult, fault, ok, warning } from '../finding.ts';
import { directMessage } from '../payloads.ts';
import { isSuccess, type PostResult } from '../post.ts';
import { quoted } from '../quoted.ts';
import type { Target } from '../target.ts';

const ANYBODY =
  'Anybody who knows the address can run the bot: compare the whole token, as a string, with the token of that bot.';

/** The status and the beginning of the body, or the reason why there is no response. */
export const shown = (answer: PostResult): string =>
  answer.kind === 'response' ? `status ${answer.status}${quoted(answer.body)}` : answer.reason;

const WRONG = 'x'.repeat(32);
const STRANGER = 'nobody-bot@chat.invalid';

/** A delivery with the given fields, which the endpoint must refuse. */
const mustRefuse = (check: string, fields: (target: Target) => object): Check => ({
  check,
  async run(target) {
    const given = { ...directMessage(target), ...fields(target) };
    const { token } = given as { readonly token?: unknown };
    const signedBy = typeof token === 'string' ? token : WRONG;
    const answer = await target.deliver(given, { signedBy });
    if (isSuccess(answer)) return fault(shown(answer), ANYBODY);
    return problemInRefusal(answer, target) ?? ok(shown(answer));
  },
});

const token = (given: (genuine: string) => unknown) => (target: Target) => ({
  token: given(target.identity.token),
});

/** A delivery with a valid token and an invalid signature; an endpoint may accept it. */
const signature = (
  check: string,
  how: { skew?: number; signedBy?: string },
  why: string,
): Check => ({
  check,
  async run(target) {
    const answer = await target.deliver(directMessage(target), how);
    if (isSuccess(answer)) return warning(shown(answer), why);
    return problemInRefusal(answer, target) ?? ok(shown(answer));
  },
});

const otherAddress: Check = {
  check: 'the token with the address of another bot',
  async run(target) {
    const answer = await target.deliver({ ...directMessage(target), bot_email: STRANGER });
    if (isSuccess(answer))
      return warning(
        shown(answer),
        'With several bots the token of one would work for all of them: look up the token by bot_email.',
      );
    return problemInRefusal(answer, target) ?? ok(shown(answer));
  },
};

const sameAnswer: Check = {
  check: 'the same answer to an unknown bot and a wrong token',
  async run(target) {
    const ask = async (fields: object) => {
      const answer = await target.deliver(
        { ...directMessage(target), token: WRONG, ...fields },
        { signedBy: WRONG },
      );
      return answer.kind === 'response'
        ? `${answer.status} ${answer.body.replaceAll(STRANGER, target.identity.botEmail)}`
        : answer.fault;
    };
    const known = await ask({});
    const unknown = await ask({ bot_email: STRANGER });
    if (known === unknown) return ok(`both ${quoted(known).trim()}`);
    if (known !== (await ask({})) && known.slice(0, 3) === unknown.slice(0, 3))
      return ok(
        'the same status',
        'The bodies differ between equal requests, so they could not be compared.',
      );
    return fault(
      `${quoted(known).trim()} and ${quoted(unknown).trim()}`,
      'Strangers can find out which bots exist: answer both with the same status and body.',
    );
  },
};

const ROUNDS = 15;

const timing: Check = {
  check: 'the time of an unknown bot and of a wrong token',
  async run(target): Promise<CheckResult> {
    const took = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < ROUNDS; round++)
      for (const [kind, bot_email] of [
        ['known', target.identity.botEmail],
        ['unknown', STRANGER],
      ] as const) {
        const given = { ...directMessage(target), token: WRONG, bot_email };
        took[kind].push((await target.deliver(given, { signedBy: WRONG })).ms);
      }
    const [known, unknown] = [median(took.known), median(took.unknown)];
    return ok(
      `medians of ${ROUNDS}: ${known.toFixed(2)} ms and ${unknown.toFixed(2)} ms`,
      'For information only: so few requests over a network prove no difference in time.',
    );
  },
};

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const half = (text: string) => text.slice(0, Math.floor(text.length / 2));
const otherCase = (text: string) =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();

/** Requests that anybody who knows the address can send. */
export const credentials: CheckGroup = {
  group: 'wrong credentials',
  checks: [
    mustRefuse(
      'a wrong token',
      token(() => WRONG),
    ),
    mustRefuse('an unknown bot', () => ({ bot_email: STRANGER, token: WRONG })),
    otherAddress,
    mustRefuse(
      'the token without its last character',
      token((genuine) => genuine.slice(0, -1)),
    ),
    mustRefuse('the first half of the token', token(half)),
    mustRefuse(
      'the token with one more character',
      token((genuine) => `${genuine}x`),
    ),
    mustRefuse(
      'the token in the other letter case',
      token((genuine) => {
        const changed = otherCase(genuine);
        return changed === genuine ? WRONG : changed;
      }),
    ),
    mustRefuse(
      'an empty token',
      token(() => ''),
    ),
    mustRefuse(
      'a token of 100,000 characters',
      token(() => 'x'.repeat(100_000)),
    ),
    mustRefuse(
      'a number for a token',
      token(() => 0),
    ),
    mustRefuse(
      'true for a token',
      token(() => true),
    ),
    mustRefuse(
      'null for a token',
      token(() => null),
    ),
    mustRefuse(
      'a list for a token',
      token(() => []),
    ),
    mustRefuse(
      'an object for a token',
      token(() => ({ $ne: '' })),
    ),
    mustRefuse(
      'no token',
      token(() => undefined),
    ),
    mustRefuse('a bot named __proto__', () => ({ bot_email: '__proto__', token: WRONG })),
    sameAnswer,
    timing,
    signature(
      'a signature made with another key',
      { signedBy: WRONG },
      'Optional, because the token is valid: checking the signature too detects a message that was changed on the way.',
    ),
    signature(
      'a valid signature that is a day old',
      { skew: -86_400 },
      'Optional, because the token is valid: refusing signatures older than five minutes prevents replay attacks.',
    ),
  ],
};
