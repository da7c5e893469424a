import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A YAML (or JSON) text, and where its values are. */
export interface YamlWithLines {
  /** The syntax errors, as `LINE: error`. With any error, `value` is undefined. */
  readonly problems: readonly string[];
  readonly value: unknown;
  /** The line of the value at a path, or of the nearest existing one above it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

export function parseYaml(text: string): YamlWithLines {
  // Most bouncers are configured by variables alone.
  const { isNode, LineCounter, parseDocument } = require('yaml') as typeof import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line;
  const problems = document.errors.map(
    ({ message, pos }) => `${lineAt(pos[0])}: ${message.split('\n', 1)[0]}`,
  );
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lineAt(node.range[0]);
    }
    return 1;
  };
  if (problems.length > 0) return { problems, value: undefined, lineOf };
  try {
    return { problems, value: document.toJS({ maxAliasCount: 100 }), lineOf };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return { problems: [`1: ${what}`], value: undefined, lineOf };
  }
}
