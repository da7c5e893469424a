import { type Declared, type EntryPoint, namedBy } from './declarations.ts';

/**
 * What keeps users of an entry point from writing down the types of its exports: types that signatures
 * name and that it does not export, and exports whose type is inferred. Of another package of ours, the
 * fields of its types are that package's affair.
 */
export function hiddenTypes({ path: entry, entries }: EntryPoint): string[] {
  const exported = new Set(entries.map(idOf));
  const own = entries.filter(({ path }) => packageOf(path) === packageOf(entry));
  const hidden = own.flatMap((one) =>
    namedBy(one)
      .filter((named) => !exported.has(idOf(named)))
      .map((named) => `${one.name} names ${named.name}`),
  );
  const inferred = own.filter(({ isTyped }) => !isTyped);
  return [
    ...hidden,
    ...inferred.map(({ name }) => `${name} has a type that only the compiler knows`),
  ];
}

const idOf = ({ path, name }: Declared) => `${path} ${name}`;
const packageOf = (path: string) => path.split('/src/')[0];
