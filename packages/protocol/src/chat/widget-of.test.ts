import { expect, test } from 'vitest';

import { widgetOf } from './widget-of.ts';

const poll = (question: string, ...options: string[]) => ({
  widget_type: 'poll',
  extra_data: { question, options },
});
const todo = (task_list_title: string, ...tasks: [task: string, desc: string][]) => ({
  widget_type: 'todo',
  extra_data: { task_list_title, tasks: tasks.map(([task, desc]) => ({ task, desc })) },
});

test.each([
  ['/poll', poll('')],
  ['/poll Tea or coffee?', poll('Tea or coffee?')],
  ['/poll Tea?\nyes\n- no\n* perhaps\n\n  -later ', poll('Tea?', 'yes', 'no', 'perhaps', 'later')],
  ['/poll\nyes\nno', poll('', 'yes', 'no')],
  ['/poll\r\n- a-b\r\n*c*', poll('', 'a-b', 'c*')],
  ['/poll\tTea?', poll('Tea?')],
  ['/todo', todo('')],
  ['/todo Today', todo('Today')],
  [
    '/todo Today\n- buy milk: two: litres\ncall',
    todo('Today', ['buy milk', 'two: litres'], ['call', '']),
  ],
  ['/todo\n10:30 meeting', todo('', ['10:30 meeting', ''])],
])('%j starts a widget', (content, widget) => {
  expect(JSON.parse(widgetOf(content) ?? 'null')).toEqual(widget);
});

test.each([
  'hello',
  '/polls',
  '/me /poll',
  ' /poll x',
  '/Poll x',
  '/zform',
  '/',
  '//poll',
  '/poll:',
])('%j starts no widget', (content) => expect(widgetOf(content)).toBeUndefined());

test('widget_content takes precedence over the text, and its unknown keys are dropped', () => {
  const given = { widget_type: 'poll', extra_data: { question: 'Tea?' }, more: 1 };
  const { more: _more, ...kept } = given;
  expect(JSON.parse(widgetOf('/todo x', JSON.stringify(given)) ?? '')).toEqual(kept);
  const bare = { widget_type: 'todo', extra_data: null };
  expect(JSON.parse(widgetOf('x', '{"widget_type":"todo"}') ?? '')).toEqual(bare);
});
