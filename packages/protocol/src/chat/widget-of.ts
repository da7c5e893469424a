/** The list marker before an option. */
const BULLET = /^[-*]?\s*/;

const linesOf = (text: string) => {
  const [first = '', ...rest] = text.split(/\r\n|[\n\r]/);
  const lines = rest.map((line) => line.trim().replace(BULLET, ''));
  return { title: first.trim(), lines: lines.filter((line) => line !== '') };
};

function poll(text: string) {
  const { title, lines } = linesOf(text);
  return { question: title, options: lines };
}

function todo(text: string) {
  const { title, lines } = linesOf(text);
  const tasks = lines.map((line) => {
    const end = line.indexOf(': ');
    return end === -1
      ? { task: line, desc: '' }
      : { task: line.slice(0, end).trim(), desc: line.slice(end + 2).trim() };
  });
  return { task_list_title: title, tasks };
}

/**
 * The widget that a message starts, as JSON text: `widget_content`, or the one that `/poll` or `/todo`
 * in its content starts. The rest of the first line is the title, every other line an option or a task
 * (`task: description`).
 */
export function widgetOf(content: string, widget_content?: string | null): string | undefined {
  if (typeof widget_content === 'string') {
    const { widget_type, extra_data = null } = JSON.parse(widget_content) as Record<
      string,
      unknown
    >;
    return JSON.stringify({ widget_type, extra_data });
  }
  const [, command, rest = ''] = /^\/(poll|todo)(?!\S)(.*)$/s.exec(content) ?? [];
  if (command === undefined) return undefined;
  const extra_data = command === 'poll' ? poll(rest) : todo(rest);
  return JSON.stringify({ widget_type: command, extra_data });
}
