import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot from './bot.ts';

/** Ada is on call, Grace is next. */
async function onCall() {
  const room = chat(makeBot, { name: 'On Call' });
  const people = { ada: room.user('Ada'), grace: room.user('Grace'), alan: room.user('Alan') };
  await people.ada.says('join');
  expect(await people.grace.says('join')).toEqual(['Ada is on call, then Grace.']);
  const inTopic = (topic: string) => ({
    ada: people.ada.inChannel('ops', topic),
    grace: people.grace.inChannel('ops', topic),
    alan: people.alan.inChannel('ops', topic),
  });
  return { room, people, inTopic };
}

test('a swap takes the approval of the next person, and of nobody else', async () => {
  const { inTopic } = await onCall();
  const { ada, grace, alan } = inTopic('on call');
  expect(await grace.says('swap')).toEqual(['Only the person on call can ask for a swap.']);
  expect(await ada.says('swap')).toEqual([
    'Grace, do you take over from Ada?\n\n1. Yes, I do\n2. No',
  ]);
  expect(await alan.writes('yes, I do')).toEqual([]);
  expect(await ada.says('1')).toEqual(['You may not answer that.']);
  expect(await grace.writes('yes, I do')).toEqual(['Grace is on call, then Ada.']);
  await grace.says('swap');
  expect(await ada.writes('2')).toEqual(['All right, nothing changes.']);
});

test('a swap that nobody answers ends after 15 minutes', async () => {
  const { room, inTopic } = await onCall();
  const { ada, grace } = inTopic('on call');
  await ada.says('swap');
  await room.advance(15 * 60_000);
  expect(room.last()?.content).toBe('No answer to "Grace, do you take over from Ada?"');
  expect(await grace.writes('1')).toEqual([]);
});

test('an alert is taken by its buttons in the channel of those on call', async () => {
  const { room, people, inTopic } = await onCall();
  const { ada, grace } = inTopic('on call');
  expect(await people.alan.says('alert disk full')).toEqual(['I page the person on call.']);
  await room.advance(0);
  const question = room.last();
  expect(question).toMatchObject({
    content: expect.stringContaining(`disk full\n@**Ada|${people.ada.id}**, do you take it?`),
    destination: { channel: 'ops', topic: 'on call' },
    widget: expect.stringContaining('"heading":"disk full @Ada, do you take it?"'),
  });
  expect(await grace.says('I take it')).toEqual(['You may not answer that.']);
  expect(await ada.writes('I take it')).toEqual(['Ada takes it: disk full']);
  expect(room.last()?.destination).toMatchObject({ userIds: [people.alan.id] });
  expect(question?.content).toMatch(/Answered by Ada: I take it$/);
  expect(await grace.says('I take it')).toEqual(['Ada has answered that already: I take it.']);
});

test('an alert goes to the next person without an answer and by a button, and then to nobody', async () => {
  const { room, people, inTopic } = await onCall();
  await people.alan.says('alert disk full');
  await room.advance(5 * 60_000 + 1);
  const [first, second] = room.messages.slice(-2);
  expect(first?.content).toMatch(/Nobody has answered in time\.$/);
  expect(second?.content).toContain(`@**Grace|${people.grace.id}**, do you take it?`);
  await inTopic('on call').grace.writes('Next, please');
  await room.advance(0);
  expect(room.last()?.content).toBe(':rotating_light: Nobody takes it: disk full');
});

test('an incident is reported without mentions, and resolved by a word', async () => {
  const { room, people, inTopic } = await onCall();
  const { ada, alan } = inTopic('mail');
  expect(await alan.says('incident')).toEqual(['What is broken?']);
  expect(await alan.writes('No mail goes out')).toEqual(['How bad is it, from 1 to 3?']);
  expect(await alan.writes('very')).toEqual([expect.stringContaining('A number from 1 to 3')]);
  expect(await alan.writes('2')).toEqual([
    `:rotating_light: Severity 2: No mail goes out. @**Ada|${people.ada.id}**, please have a look.`,
  ]);
  expect(await ada.writes('I see a full disk')).toEqual([]);
  expect(await ada.says('summary')).toEqual([
    '5 messages of Alan and Ada. Ada said last: I see a full disk',
  ]);
  await ada.writes('Resolved!');
  expect(room.last()).toMatchObject({ destination: { topic: '✔ mail' } });
});

test('every Monday at nine the next person is on call', async () => {
  const { room, people } = await onCall();
  await room.advance(7 * 24 * 3_600_000);
  expect(room.last()).toMatchObject({
    content: 'Grace is on call, then Ada.',
    destination: { channel: 'ops', topic: 'on call' },
  });
  expect(await people.alan.says('duty')).toEqual(['Grace is on call, then Ada.']);
});
