import { quoted, troubleInRefusal } from '../assess.ts';
import type { Check, Group } from '../check.ts';
import { fault, ok, type Outcome, warning } from '../finding.ts';
import { directMessage } from '../payloads.ts';
import type { Answer } from '../post.ts';
import type { Target } from '../target.ts';

const ANYBODY =
  'Anybody who knows the address can run the bot: compare the whole token, as a text, with the one of that bot.';

const isSuccess = (answer: Answer) =>
  answer.kind === 'answer' && answer.status >= 200 && answer.status < 300;

export const shown = (answer: Answer): string =>
  answer.kind === 'answer' ? `status ${answer.status}${quoted(answer.body)}` : answer.reason;

const WRONG = 'x'.repeat(32);
const STRANGER = 'nobody-bot@chat.invalid';

const refused = (check: string, fields: (target: Target) => object): Check => ({
  check,
  async run(target) {
    const given = { ...directMessage(target), ...fields(target) };
    const { token } = given as { readonly token?: unknown };
    const signedBy = typeof token === 'string' ? token : WRONG;
    const answer = await target.deliver(given, { signedBy });
    if (isSuccess(answer)) return fault(shown(answer), ANYBODY);
    return troubleInRefusal(answer, target) ?? ok(shown(answer));
  },
});

const token = (given: (genuine: string) => unknown) => (target: Target) => ({
  token: given(target.identity.token),
});

/** Deliveries that may be checked more strictly than the token alone. */
const signature = (
  check: string,
  how: { skew?: number; signedBy?: string },
  why: string,
): Check => ({
  check,
  async run(target) {
    const answer = await target.deliver(directMessage(target), how);
    if (isSuccess(answer)) return warning(shown(answer), why);
    return troubleInRefusal(answer, target) ?? ok(shown(answer));
  },
});

const misnamed: Check = {
  check: 'the token under the name of another bot',
  async run(target) {
    const answer = await target.deliver({ ...directMessage(target), bot_email: STRANGER });
    if (isSuccess(answer))
      return warning(
        shown(answer),
        'With several bots, the token of each would do for all: look the token up by bot_email.',
      );
    return troubleInRefusal(answer, target) ?? ok(shown(answer));
  },
};

const alike: Check = {
  check: 'an unknown bot and a wrong token look alike',
  async run(target) {
    const ask = async (fields: object) => {
      const answer = await target.deliver(
        { ...directMessage(target), token: WRONG, ...fields },
        { signedBy: WRONG },
      );
      return answer.kind === 'answer'
        ? `${answer.status} ${answer.body.replaceAll(STRANGER, target.identity.bot_email)}`
        : answer.kind;
    };
    const known = await ask({});
    const unknown = await ask({ bot_email: STRANGER });
    if (known === unknown) return ok(`both ${quoted(known).trim()}`);
    if (known !== (await ask({})) && known.slice(0, 3) === unknown.slice(0, 3))
      return ok(
        'the same status',
        'Its texts differ from one time to the next, so they could not be compared.',
      );
    return fault(
      `${quoted(known).trim()} and ${quoted(unknown).trim()}`,
      'Strangers learn which bots there are: answer both with the same status and text.',
    );
  },
};

const ROUNDS = 15;

const timing: Check = {
  check: 'an unknown bot and a wrong token take as long',
  async run(target): Promise<Outcome> {
    const took = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < ROUNDS; round++)
      for (const [kind, bot_email] of [
        ['known', target.identity.bot_email],
        ['unknown', STRANGER],
      ] as const) {
        const given = { ...directMessage(target), token: WRONG, bot_email };
        took[kind].push((await target.deliver(given, { signedBy: WRONG })).ms);
      }
    const [known, unknown] = [median(took.known), median(took.unknown)];
    return ok(
      `medians of ${ROUNDS}: ${known.toFixed(2)} ms and ${unknown.toFixed(2)} ms`,
      'For the record: so few requests over a network prove nothing about time.',
    );
  },
};

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const half = (text: string) => text.slice(0, Math.floor(text.length / 2));
const otherCase = (text: string) =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();

/** What anybody can send who knows the address. */
export const credentials: Group = {
  group: 'wrong credentials',
  checks: [
    refused(
      'a wrong token',
      token(() => WRONG),
    ),
    refused('a bot it does not know', () => ({ bot_email: STRANGER, token: WRONG })),
    misnamed,
    refused(
      'the token less its last letter',
      token((genuine) => genuine.slice(0, -1)),
    ),
    refused('the first half of the token', token(half)),
    refused(
      'the token and one letter more',
      token((genuine) => `${genuine}x`),
    ),
    refused(
      'the token in the other case',
      token((genuine) => {
        const changed = otherCase(genuine);
        return changed === genuine ? WRONG : changed;
      }),
    ),
    refused(
      'an empty token',
      token(() => ''),
    ),
    refused(
      'a token of 100,000 letters',
      token(() => 'x'.repeat(100_000)),
    ),
    refused(
      'a number for a token',
      token(() => 0),
    ),
    refused(
      'true for a token',
      token(() => true),
    ),
    refused(
      'null for a token',
      token(() => null),
    ),
    refused(
      'a list for a token',
      token(() => []),
    ),
    refused(
      'an object for a token',
      token(() => ({ $ne: '' })),
    ),
    refused(
      'no token',
      token(() => undefined),
    ),
    refused('a bot named __proto__', () => ({ bot_email: '__proto__', token: WRONG })),
    alike,
    timing,
    signature(
      'a signature by another key',
      { signedBy: WRONG },
      'The token was right, so this is a choice: who checks the signature too knows that nobody on the way changed the message.',
    ),
    signature(
      'a genuine signature, a day old',
      { skew: -86_400 },
      'The token was right, so this is a choice: who refuses what was signed more than five minutes ago cannot be sent recordings.',
    ),
  ],
};
