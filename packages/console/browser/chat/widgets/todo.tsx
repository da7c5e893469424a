import type { FetchedMessage } from '@bellhop/protocol';

import type { LiveAccount } from '../../live/live-account.ts';
import { textOf } from '../../text/text-of.ts';
import type { MessageActions } from '../message-actions.ts';
import { AddEntry } from './add-entry.tsx';
import { countOf } from './poll.tsx';
import { type Part, partsOf, type TodoData } from './widget-data.ts';

interface TodoProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
  readonly data: TodoData | null | undefined;
}
interface Task {
  readonly task: string;
  readonly desc: string;
  isDone: boolean;
}

/** The title and the tasks after all actions. */
function tasksOf(data: TodoData | null | undefined, parts: readonly Part[]) {
  const tasks = new Map<string, Task>(
    (data?.tasks ?? []).map((task, at) => [`${at},canned`, { ...task, isDone: false }]),
  );
  let title = data?.task_list_title ?? '';
  for (const part of parts) {
    if (part.type === 'new_task_list_title') title = textOf(part['title']);
    else if (part.type === 'new_task')
      tasks.set(`${String(part['key'])},${part.sender_id}`, {
        task: textOf(part['task']),
        desc: textOf(part['desc']),
        isDone: part['completed'] === true,
      });
    else if (part.type === 'strike') {
      const task = tasks.get(String(part['key']));
      if (task) task.isDone = !task.isDone;
    }
  }
  return { title, tasks };
}

export function Todo({ account, message, actions, data }: TodoProps) {
  const parts = partsOf(message.submessages);
  const { title, tasks } = tasksOf(data, parts);
  return (
    <section class="widget" aria-label={title}>
      <h3>{title}</h3>
      {[...tasks].map(([key, { task, desc, isDone }]) => (
        <label key={key} class={isDone ? 'task done' : 'task'}>
          <input
            type="checkbox"
            checked={isDone}
            onChange={() => actions.takePart(message, { type: 'strike', key })}
          />
          <span>
            {task} {desc && <small class="muted">{desc}</small>}
          </span>
        </label>
      ))}
      <AddEntry
        label="Add task"
        onAdd={(task) =>
          actions.takePart(message, {
            type: 'new_task',
            key: countOf(parts, account.user_id, 'new_task') + 2,
            task,
            desc: '',
            completed: false,
          })
        }
      />
    </section>
  );
}
