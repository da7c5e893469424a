import {
  type Contract,
  type Endpoint,
  mayContainSlashes,
  splitRoute,
} from '@bellhop/protocol/contract';

/** The operations at one path, by method. */
export type Operations = ReadonlyMap<string, Endpoint>;
interface Match {
  readonly operations: Operations;
  readonly path: Readonly<Record<string, string>>;
}
/** `path` has no double slashes; `url` is what the client sent: it may end with a query and begin with a prefix. */
export type Router = (path: string, url: string) => Match | undefined;

interface Pattern {
  readonly segments: readonly string[];
  readonly operations: Operations;
}
const NO_VARIABLES = Object.freeze({});

/**
 * Finds operations by path. Tolerates a trailing slash; fixed segments win over variables, and these
 * over a last variable with slashes, which a trailing slash is part of.
 */
export function routerOf(contract: Contract): Router {
  const byPath = new Map<string, Map<string, Endpoint>>();
  for (const endpoint of Object.values(contract).flatMap((resource) => Object.values(resource))) {
    const [method, path] = splitRoute(endpoint.route);
    const operations = byPath.get(path) ?? new Map<string, Endpoint>();
    if (operations.has(method)) throw new Error(`Two operations at ${endpoint.route}`);
    byPath.set(path, operations.set(method, endpoint));
  }
  const patterns = new Map<number, Pattern[]>();
  const open: Pattern[] = [];
  for (const [path, operations] of byPath) {
    if (!path.includes('{')) continue;
    const pattern = { segments: path.split('/'), operations };
    const { length } = pattern.segments;
    if ([...operations.values()].some(mayContainSlashes)) open.push(pattern);
    else patterns.set(length, [...(patterns.get(length) ?? []), pattern]);
  }
  for (const sameLength of patterns.values()) sameLength.sort(fixedFirst);
  return (raw, url) => {
    const fixed = byPath.get(raw);
    if (fixed && !raw.includes('{')) return { operations: fixed, path: NO_VARIABLES };
    const path = raw.endsWith('/') ? raw.slice(0, -1) : raw;
    const operations = path === raw ? undefined : byPath.get(path);
    if (operations) return { operations, path: NO_VARIABLES };
    const parts = path.split('/');
    return firstMatch(patterns.get(parts.length) ?? [], parts) ?? openMatch(open, parts, url);
  };
}

function fixedFirst({ segments: a }: Pattern, { segments: b }: Pattern): number {
  const differs = a.findIndex((segment, at) => segment.startsWith('{') !== b[at]?.startsWith('{'));
  return differs === -1 ? 0 : a[differs]?.startsWith('{') ? 1 : -1;
}

function firstMatch(patterns: readonly Pattern[], parts: readonly string[]): Match | undefined {
  for (const { segments, operations } of patterns) {
    const path = variables(segments, parts);
    if (path) return { operations, path };
  }
  return undefined;
}

/** Matches patterns whose last variable takes all remaining segments. */
function openMatch(
  patterns: readonly Pattern[],
  parts: readonly string[],
  url: string,
): Match | undefined {
  for (const pattern of patterns) {
    const last = pattern.segments.length - 1;
    if (parts.length <= last) continue;
    const joined = [...parts.slice(0, last), lastSegments(url, parts.length - last)];
    const match = firstMatch([pattern], joined);
    if (match) return match;
  }
  return undefined;
}

/** The end of a path from its last `count` segments on, with all slashes between and after them. */
function lastSegments(url: string, count: number): string {
  const parts = (url.split('?')[0] ?? '').split('/');
  let start = parts.length;
  for (let left = count; left > 0;) if (parts[--start] !== '') left--;
  return parts.slice(start).join('/');
}

function variables(
  segments: readonly string[],
  parts: readonly string[],
): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    const part = parts[at] ?? '';
    if (!segment.startsWith('{')) {
      if (segment !== part) return undefined;
      continue;
    }
    try {
      found[segment.slice(1, -1)] = decodeURIComponent(part);
    } catch {
      return undefined;
    }
  }
  return found;
}
