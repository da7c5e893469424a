/** The stack of an error and of its causes, without the frames inside Node. */
export function readableStack(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = (error.stack ?? error.message).split('\n');
  const shown = lines.filter((line) => !/^ {4}at .*(?:node:internal|new Promise)/.test(line));
  const cause = error.cause === undefined ? '' : `\nbecause of ${readableStack(error.cause)}`;
  return shown.join('\n') + cause;
}
