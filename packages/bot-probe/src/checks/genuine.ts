import { assessGenuine } from '../assess.ts';
import type { Check, Group } from '../check.ts';
import { warning } from '../finding.ts';
import { directMessage, mention, withMessage } from '../payloads.ts';
import type { Target } from '../target.ts';

const delivered = (check: string, payload: (target: Target) => object): Check => ({
  check,
  run: async (target) => assessGenuine(await target.deliver(payload(target)), target),
});

/** A refusal of these costs less than one of the others: only some servers send them. */
const tolerated = ({ check, run }: Check, who: string): Check => ({
  check,
  async run(target) {
    const outcome = await run(target);
    return outcome.verdict === 'fault' && outcome.happened.startsWith('status 4')
      ? warning(outcome.happened, `${who} send it so, and would show people "Failure!".`)
      : outcome;
  },
});

const unsigned: Check = {
  check: 'a delivery without signature headers',
  run: async (target) =>
    assessGenuine(await target.send({ body: JSON.stringify(directMessage(target)) }), target),
};

/** What servers send, in all its forms. */
export const genuine: Group = {
  group: 'genuine deliveries',
  checks: [
    delivered('a mention in a channel', (target) => mention(target)),
    delivered('a mention under the empty topic', (target) => mention(target, { topic: '' })),
    delivered('a direct message', (target) => directMessage(target)),
    delivered('a direct message to several', (target) => directMessage(target, { isGroup: true })),
    delivered('keys that are new to it', (target) => ({
      ...withMessage(directMessage(target), { from_the_future: [{ deep: true }] }),
      from_the_future: 1,
    })),
    delivered('an emoji in the text', (target) =>
      withMessage(directMessage(target), { content: `${target.content} \u{1f6a2}` }),
    ),
    tolerated(
      delivered('the old trigger private_message', (target) => ({
        ...directMessage(target),
        trigger: 'private_message',
      })),
      'Servers before feature level 201',
    ),
    tolerated(
      delivered('a message without its newer lists', (target) =>
        withMessage(directMessage(target), {
          reactions: undefined,
          submessages: undefined,
          topic_links: undefined,
          flags: undefined,
        }),
      ),
      'Other servers',
    ),
    tolerated(unsigned, 'Servers that know no signatures'),
  ],
};
