import type { Parameter, Usage } from './read-usage.ts';

/** A usage in its shortest form, for users: without the type of plain strings. */
export function usageText({ words, positionals, flags }: Usage): string {
  return [...words, ...[...positionals, ...flags].map(parameterText)].join(' ');
}

function parameterText({ name, kind, type, takes, required, short, ...rest }: Parameter): string {
  const text = [
    kind === 'positional' ? name : `--${name}`,
    short === undefined ? '' : `/-${short}`,
    type === undefined || (type === 'string' && takes === 'one' && kind === 'positional')
      ? ''
      : `:${type}`,
    takes === 'one' ? '' : '...',
    rest.default === undefined ? '' : `=${rest.default}`,
  ].join('');
  return required ? `<${text}>` : `[${text}]`;
}
