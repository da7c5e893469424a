export type Route = `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;

/** The names in braces in a route: `/messages/{message_id}` has `message_id`. */
export const pathVariables = (route: string): string[] =>
  [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');

/** Method and path of a route: `['GET', '/messages/{message_id}']`. */
export function splitRoute(route: Route): [method: string, path: string] {
  const space = route.indexOf(' ');
  return [route.slice(0, space), route.slice(space + 1)];
}
