import { assessGenuine } from '../assess.ts';
import type { Check, CheckGroup } from '../check.ts';
import { warning } from '../finding.ts';
import { directMessage, mention, withMessage } from '../payloads.ts';
import type { Target } from '../target.ts';

const delivered = (check: string, payload: (target: Target) => object): Check => ({
  check,
  run: async (target) => assessGenuine(await target.deliver(payload(target)), target),
});

/** A check where a refusal is only a warning, because only some servers send such a delivery. */
const mayRefuse = ({ check, run }: Check, servers: string): Check => ({
  check,
  async run(target) {
    const result = await run(target);
    return result.severity === 'fault' && result.happened.startsWith('4')
      ? warning(result.happened, `${servers} send this, and show "Failure!" when it is refused.`)
      : result;
  },
});

const unsigned: Check = {
  check: 'a delivery without signature headers',
  run: async (target) =>
    assessGenuine(await target.send({ body: JSON.stringify(directMessage(target)) }), target),
};

/** Deliveries as servers send them. */
export const genuine: CheckGroup = {
  group: 'genuine deliveries',
  checks: [
    delivered('a mention in a channel', (target) => mention(target)),
    delivered('a mention in the empty topic', (target) => mention(target, { topic: '' })),
    delivered('a direct message', (target) => directMessage(target)),
    delivered('a group direct message', (target) => directMessage(target, { isGroup: true })),
    delivered('unknown keys', (target) => ({
      ...withMessage(directMessage(target), { from_the_future: [{ deep: true }] }),
      from_the_future: 1,
    })),
    delivered('an emoji in the content', (target) =>
      withMessage(directMessage(target), { content: `${target.content} \u{1f6a2}` }),
    ),
    mayRefuse(
      delivered('the old trigger private_message', (target) => ({
        ...directMessage(target),
        trigger: 'private_message',
      })),
      'Servers before feature level 201',
    ),
    mayRefuse(
      delivered('a message without the lists of newer servers', (target) =>
        withMessage(directMessage(target), {
          reactions: undefined,
          submessages: undefined,
          topic_links: undefined,
          flags: undefined,
        }),
      ),
      'Other servers',
    ),
    mayRefuse(unsigned, 'Servers without signatures'),
  ],
};
