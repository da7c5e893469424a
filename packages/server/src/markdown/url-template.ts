const variable = String.raw`\w+(?:\.\w+)*(?::[1-9]\d{0,3}|\*)?`;
const expression = String.raw`\{([+#./;?&]?)(${variable}(?:,${variable})*)\}`;
const wholeTemplate = new RegExp(`^(?:[^{}]|${expression})*$`);

/** The names of the variables of an RFC 6570 URL template. Undefined if it is not one. */
function templateVariables(template: string): Set<string> | undefined {
  if (!wholeTemplate.test(template)) return undefined;
  const lists = [...template.matchAll(new RegExp(expression, 'g'))].map(([, , list = '']) => list);
  return new Set(
    lists.flatMap((list) => list.split(',').map((name) => name.replace(/[:*].*$/, ''))),
  );
}

const host = String.raw`(?:[^/?#{}]|\{\w[^{}]*\})+`;
const webTemplate = new RegExp(String.raw`^https?:\/\/${host}(?:$|[/?#]|\{[/?#])`, 'i');

/**
 * Whether a template is an address of HTTP: `https://example.com/{id}`. Its host may contain only
 * variables whose value is encoded, as in `https://{project}.example.com/`.
 */
export const isWebTemplate = (template: string): boolean => webTemplate.test(template);

/**
 * Returns the variables of the template of a link. Throws what `refusal` makes of the reason why the
 * template cannot be used.
 */
export function checkTemplate(template: string, refusal: (reason: string) => Error): Set<string> {
  const variables = templateVariables(template);
  if (!variables) throw refusal('Invalid URL template.');
  if (!isWebTemplate(template))
    throw refusal('The URL template must begin with https:// or http:// and a host.');
  return variables;
}
