/** A node of a syntax tree, or a list of nodes, or a value of one. */
interface Tree {
  readonly type?: unknown;
  readonly [field: string]: unknown;
}

/** The fields of nodes that hold no part of a type. */
const skipped: Readonly<Record<string, readonly string[]>> = {
  ArrowFunctionExpression: ['body'],
  AssignmentPattern: ['right'],
  ClassDeclaration: ['superClass'],
  FunctionDeclaration: ['body'],
  FunctionExpression: ['body'],
  PropertyDefinition: ['value'],
};

/** The names of types in declarations, those of type parameters and of the language included. */
export function typeNames(nodes: readonly object[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const node of nodes) collect(node, found);
  return found;
}

function collect(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const node = value as Tree;
  if (isHidden(node)) return;
  const named = namedIn(node);
  if (named !== undefined) found.add(named);
  const without = isComputed(node) ? computed : (skipped[String(node.type)] ?? []);
  for (const [field, child] of Object.entries(node))
    if (!without.includes(field)) collect(child, found);
}

/**
 * Whether users name a type or a constant whole, and none of its parts: `type Name = keyof Table`,
 * `type Values = Output<typeof schema>`, or the schema, whose type the compiler infers.
 */
function isComputed({ type, id, init, typeAnnotation }: Tree): boolean {
  if (type === 'VariableDeclarator')
    return (
      !(id as Tree).typeAnnotation && (init as Tree | null)?.type !== 'ArrowFunctionExpression'
    );
  if (type !== 'TSTypeAliasDeclaration') return false;
  const body = typeAnnotation as Tree;
  const { params = [] } = (body.typeArguments ?? {}) as { readonly params?: readonly Tree[] };
  return [body, ...params].some((part) => computedTypes.has(String(part.type)));
}

const computed = ['init', 'typeAnnotation'];
const computedTypes = new Set([
  'TSIndexedAccessType',
  'TSMappedType',
  'TSTypeOperator',
  'TSTypeQuery',
]);

/** A conditional type is computed: nobody names its parts. Private members and `[internals]` are not public. */
function isHidden({ type, key, computed, accessibility }: Tree): boolean {
  if (type === 'TSConditionalType' || accessibility === 'private') return true;
  const { type: kind, name } = (key ?? {}) as Tree;
  return kind === 'PrivateIdentifier' || (computed === true && name === 'internals');
}

function namedIn({ type, typeName, exprName, expression }: Tree): string | undefined {
  if (type === 'TSTypeReference') return firstOf(typeName);
  if (type === 'TSTypeQuery') return firstOf(exprName);
  return type === 'TSInterfaceHeritage' || type === 'TSClassImplements'
    ? firstOf(expression)
    : undefined;
}

/** `A` of `A` and of `A.B`. */
function firstOf(name: unknown): string | undefined {
  const { type, left, name: text } = (name ?? {}) as Tree;
  if (type === 'TSQualifiedName') return firstOf(left);
  return typeof text === 'string' ? text : undefined;
}
