/**
 * The widget of a message as JSON text: the given `widget_content`, or the one that `/poll` or `/todo`
 * makes of the lines of the content. Undefined for a message without a widget.
 */
export function widgetOf(content: string, widget_content?: string): string | undefined {
  if (widget_content !== undefined) {
    const given = new Map<string, unknown>(Object.entries(JSON.parse(widget_content) as object));
    const extra_data = given.get('extra_data') ?? null;
    return JSON.stringify({ widget_type: given.get('widget_type'), extra_data });
  }
  const command = /^\/(poll|todo)(?!\S)/.exec(content)?.[1];
  if (command === undefined) return undefined;
  const [first = '', ...others] = content.slice(command.length + 1).split(/\r\n|[\n\r]/);
  const title = first.trim();
  const lines = others.map((line) => line.trim().replace(/^[-*]?\s*/, '')).filter(Boolean);
  const extra_data =
    command === 'poll'
      ? { question: title, options: lines }
      : { task_list_title: title, tasks: lines.map(taskOf) };
  return JSON.stringify({ widget_type: command, extra_data });
}

function taskOf(line: string) {
  const at = line.indexOf(': ');
  return at === -1
    ? { task: line, desc: '' }
    : { task: line.slice(0, at).trim(), desc: line.slice(at + 2).trim() };
}
