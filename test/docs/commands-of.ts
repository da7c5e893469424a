import { pageText } from './examples-in.ts';

/** A block of commands on a page. */
export interface CommandBlock {
  /** `sh`: a test types it. `bash`: it needs what this machine may not have. */
  readonly language: 'sh' | 'bash';
  readonly text: string;
}

/** The blocks of commands of a page, in their order. */
export const commandBlocksIn = (page: string): CommandBlock[] =>
  [...pageText(page).matchAll(/^( *)```(sh|bash)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language, text = '']) => ({
      language: language as CommandBlock['language'],
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );

/** The `sh` blocks of a page; those of `bash` need what this machine may not have. */
export const commandsOf = (page: string): string => {
  const blocks = commandBlocksIn(page).filter(({ language }) => language === 'sh');
  return blocks.map(({ text }) => text).join('\n');
};

/** What a test types in the place of a part of a page: places, ports and keys of its own. */
export type Edits = readonly (readonly [shown: RegExp, typed: string])[];

/** Commands with edits. Throws if one finds nothing: the page has changed, and the test has not. */
export function edited(commands: string, edits: Edits): string {
  return edits.reduce((text, [shown, typed]) => {
    if (text.search(shown) === -1) throw new Error(`No ${String(shown)} in:\n${text}`);
    return text.replace(shown, () => typed);
  }, commands);
}

/** The block of commands of a page that begins so, with edits. Throws if there is none. */
export function block(page: string, begin: string, edits: Edits = []): string {
  const found = commandBlocksIn(page).find(({ text }) => text.startsWith(begin));
  if (!found) throw new Error(`${page} has no commands that begin with ${begin}`);
  return edited(found.text, edits);
}

/** A line of bash that ends all background processes of the commands after it. */
export const endsOwnProcesses = "trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT";

/**
 * A function of bash for commands that run on: `behind READY COMMAND...` returns when the command has printed
 * READY, and prints what it has printed; `finish` ends the newest. `$LOGS` is a folder.
 */
export const behind = `
behind() {
  local ready=$1
  LOG=$LOGS/$RANDOM$RANDOM.log
  shift
  : > "$LOG"
  "$@" < /dev/null > "$LOG" 2>&1 &
  LAST=$!
  until grep --quiet "$ready" "$LOG"; do
    kill -0 $LAST 2> /dev/null || { cat "$LOG"; exit 1; }
    sleep 0.2
  done
  cat "$LOG"
}
finish() { kill $LAST; wait $LAST || true; }`;
