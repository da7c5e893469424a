import { type Meaning, meaningOf, quoted } from '../assess.ts';
import type { Check, Group } from '../check.ts';
import { fault, ok, type Outcome, warning } from '../finding.ts';
import { directMessage } from '../payloads.ts';
import type { Target } from '../target.ts';

const textOf = (meaning: Meaning) => (meaning.kind === 'reply' ? meaning.content : meaning.kind);

const repeated: Check = {
  check: 'one message three times: twice at once, once after',
  async run(target) {
    const fresh = [
      await ask(target, directMessage(target)),
      await ask(target, directMessage(target)),
    ];
    const varies = new Set(fresh.map(textOf)).size > 1;
    const payload = directMessage(target);
    const answers = [
      ...(await Promise.all([ask(target, payload, 1), ask(target, payload, 2)])),
      await ask(target, payload, 3),
    ];
    const broken = answers.find((answer) => answer.kind === 'useless');
    if (broken?.kind === 'useless')
      return { ...broken.outcome, happened: `to a repeat: ${broken.outcome.happened}` };
    return compared(answers, varies);
  },
};

const ask = async (target: Target, payload: object, attempt = 1) =>
  meaningOf(await target.deliver(payload, { attempt }));

function compared(answers: readonly Meaning[], varies: boolean): Outcome {
  const replies = new Set(answers.filter(({ kind }) => kind === 'reply').map(textOf));
  if (replies.size > 1) {
    const [one = '', other = ''] = replies;
    return fault(
      `different answers:${quoted(one)} and${quoted(other)}`,
      'The handler ran more than once for one message, as it will after every time-out: keep the answer by message id, and give it again.',
    );
  }
  if (replies.size === 1 && answers.some(({ kind }) => kind === 'silence'))
    return warning(
      'a reply once, silence for the repeat',
      'A repeat means that the first answer was lost, and now nobody sees it: keep the answer and give it again.',
    );
  return varies
    ? ok('the same answer', 'Answers to different messages differ, so this one was kept.')
    : ok(
        'the same answer',
        'It answers every message alike, so whether the handler ran more than once cannot be seen from here.',
      );
}

/** What a server sends again because it had no answer. */
export const repeats: Group = { group: 'repeats', checks: [repeated] };
