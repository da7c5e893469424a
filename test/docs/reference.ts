import { type Declared, entryPoints, type EntryPoint } from './declarations.ts';

/** The reference of the bot framework, by the path of its page. */
export function referencePages(): Readonly<Record<string, string>> {
  return { 'docs/reference/bot.md': referenceOf('packages/bot') };
}

/** One page for a package: what each of its entry points exports, with its doc comment. */
function referenceOf(folder: string): string {
  const points = entryPoints(folder);
  const shown = new Map<string, EntryPoint>();
  return [
    `# Reference: ${points[0]?.title}`,
    'Made of the sources by `npm run docs`. [bots.md](../bots.md) is the guide. Every type that an entry names can be imported from it; the page describes a type once.',
    points.map(({ title }) => `- [${title}](#${anchor(title)})`).join('\n'),
    ...points.flatMap((point) => [`## ${point.title}`, ...sectionsOf(point, shown)]),
    '',
  ].join('\n\n');
}

/** What an entry point exports; of types that another one exports too, only the names. */
function sectionsOf(point: EntryPoint, shown: Map<string, EntryPoint>): string[] {
  const before: string[] = [];
  const sections = point.entries.flatMap((entry) => {
    const { name, path, isType } = entry;
    const key = `${path} ${name}`;
    if (isType && shown.has(key)) {
      before.push(`[${name}](#${anchor(name)})`);
      return [];
    }
    shown.set(key, point);
    return [sectionOf(entry, point)];
  });
  return before.length === 0 ? sections : [...sections, `Types from above: ${before.join(', ')}.`];
}

const anchor = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/** A type of another package of ours says where it is from. */
function sectionOf({ name, path, doc, code }: Declared, point: EntryPoint): string {
  const [, folder = ''] = path.split('/');
  const from = point.path.includes(`/${folder}/`) ? [] : [`From \`@bellhop/${folder}\`.`];
  const about = doc === '' ? [] : [doc];
  return [`### ${name}`, ...about, ...from, `\`\`\`ts\n${code}\n\`\`\``].join('\n\n');
}
