import { query, setQuery } from '../navigation/location.ts';

/** Longer paths stay out of the address. */
const MAX_PATH = 1000;

/** The path that the address has for the tree with this label: `?json=Payload$.message.id`. */
export function chosenPath(label: string): string | undefined {
  const chosen = query.value['json'];
  return chosen?.startsWith(`${label}$`) ? chosen.slice(label.length) : undefined;
}

/** Puts a path into the address, or removes it if the address has it. */
export function choosePath(label: string, path: string): void {
  const isOff = path.length > MAX_PATH || chosenPath(label) === path;
  setQuery({ json: isOff ? undefined : label + path }, { replace: true });
}
