import { pageText } from './examples-in.ts';

/** The `sh` blocks of a page; those of `bash` need what this machine may not have. */
export const commandsOf = (page: string): string =>
  [...pageText(page).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text).join('\n');

/** A line of bash that ends all background processes of the commands after it. */
export const endsOwnProcesses = "trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT";
