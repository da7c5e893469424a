import type { Check, CheckGroup } from '../check.ts';
import { type CheckResult, fault, ok, warning } from '../finding.ts';
import { interpret, type Interpretation } from '../interpret.ts';
import { directMessage } from '../payloads.ts';
import { quoted } from '../quoted.ts';
import type { Target } from '../target.ts';

const textOf = (answer: Interpretation) => (answer.kind === 'reply' ? answer.content : answer.kind);

const repeated: Check = {
  check: 'one message three times: two at once, one later',
  async run(target) {
    const ofTwoMessages = [
      await deliver(target, directMessage(target)),
      await deliver(target, directMessage(target)),
    ];
    const varies = new Set(ofTwoMessages.map(textOf)).size > 1;
    const payload = directMessage(target);
    const answers = [
      ...(await Promise.all([deliver(target, payload, 1), deliver(target, payload, 2)])),
      await deliver(target, payload, 3),
    ];
    const unusable = answers.find((answer) => answer.kind === 'unusable');
    if (unusable?.kind === 'unusable')
      return { ...unusable.result, happened: `to a repeat: ${unusable.result.happened}` };
    return compare(answers, varies);
  },
};

const deliver = async (target: Target, payload: object, attempt = 1) =>
  interpret(await target.deliver(payload, { attempt }));

/** `varies`: whether two different messages had different answers. */
function compare(answers: readonly Interpretation[], varies: boolean): CheckResult {
  const replies = new Set(answers.filter(({ kind }) => kind === 'reply').map(textOf));
  if (replies.size > 1) {
    const [one = '', other = ''] = replies;
    return fault(
      `different answers:${quoted(one)} and${quoted(other)}`,
      'The handler ran more than once for one message, as it will after every time-out: store the answer by message id, and answer a repeat with it.',
    );
  }
  if (replies.size === 1 && answers.some(({ kind }) => kind === 'silence'))
    return warning(
      'a reply to one, silence to a repeat',
      'The server repeats a delivery whose answer was lost, so nobody sees the reply: store the answer, and answer a repeat with it.',
    );
  return varies
    ? ok('the same answer', 'Answers to different messages differ, so this one was stored.')
    : ok(
        'the same answer',
        'It answers every message in the same way, so the probe cannot see whether the handler ran more than once.',
      );
}

/** Deliveries that a server repeats because it got no answer. */
export const repeats: CheckGroup = { group: 'repeats', checks: [repeated] };
