/**
 * The reason why PostgreSQL cannot store a value: a null byte or an unpaired surrogate (half of a
 * UTF-16 character) in one of its texts or keys. Undefined if it can store all of it.
 */
export function unstorableText(value: unknown): 'null bytes' | 'unpaired surrogates' | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'null bytes';
    return value.isWellFormed() ? undefined : 'unpaired surrogates';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, part] of Object.entries(value)) {
    const found = unstorableText(part) ?? (isList ? undefined : unstorableText(key));
    if (found) return found;
  }
  return undefined;
}
