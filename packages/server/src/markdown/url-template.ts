const variable = String.raw`\w+(?:\.\w+)*(?::[1-9]\d{0,3}|\*)?`;
const expression = String.raw`\{([+#./;?&]?)(${variable}(?:,${variable})*)\}`;
const wholeTemplate = new RegExp(`^(?:[^{}]|${expression})*$`);

/** The names of the variables of an RFC 6570 URL template. Undefined if it is not one. */
export function templateVariables(template: string): Set<string> | undefined {
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
