import { badRequest, type Linkifier } from '@bellhop/protocol';

import { compilePattern, compileRegExp } from '../../markdown/compile-linkifier.ts';
import { checkTemplate } from '../../markdown/url-template.ts';

/** Instructions of a compiled pattern. On 10,000 characters, hostile patterns of this size took up to 100 ms. */
const MAX_PROGRAM_SIZE = 500;

/** Throws BAD_REQUEST with `errors`, texts by parameter, for a pattern or template that cannot be used. */
export function checkLinkifier(
  { id, pattern, url_template }: Omit<Linkifier, 'id'> & { readonly id?: Linkifier['id'] },
  others: readonly Linkifier[],
): void {
  const groups = checkPattern(pattern);
  const variables = checkTemplate(url_template, (reason) => invalid('url_template', reason));
  if (others.some((other) => other.pattern === pattern && other.id !== id))
    throw invalid('pattern', 'A linkifier with this pattern already exists.');
  for (const name of variables)
    if (!groups.has(name))
      throw invalid(
        '__all__',
        `Group '${name}' in the URL template is not present in the linkifier pattern.`,
      );
  for (const name of groups)
    if (!variables.has(name))
      throw invalid(
        '__all__',
        `Group '${name}' in the linkifier pattern is not present in the URL template.`,
      );
}

/** Returns the names of the groups. */
function checkPattern(pattern: string): Set<string> {
  if (pattern.trim() === '') throw invalid('pattern', 'The pattern must not be empty.');
  const expression = compiled(pattern);
  if (expression.programSize() > MAX_PROGRAM_SIZE)
    throw invalid('pattern', 'The pattern is too complex. Use smaller counts of repetition.');
  if (expression.test('')) throw invalid('pattern', 'The pattern must not match the empty text.');
  return new Set(Object.keys(expression.namedGroups()));
}

function compiled(pattern: string): ReturnType<typeof compilePattern> {
  try {
    // The pattern is compiled alone first: `a)(b` is valid only inside of parentheses.
    compileRegExp(pattern);
    return compilePattern(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid('pattern', `Invalid regular expression: ${reason}`);
  }
}

const invalid = (field: 'pattern' | 'url_template' | '__all__', text: string) =>
  badRequest(text, { errors: { [field]: [text] } });
