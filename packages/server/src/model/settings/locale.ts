import { badRequest } from '@bellhop/protocol';

const inEnglish = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/**
 * The name of a language in that language: `Deutsch` for `de`. Undefined if no language has the
 * code.
 */
export function languageName(code: string): string | undefined {
  try {
    if (inEnglish.of(code) === undefined) return undefined;
    return new Intl.DisplayNames([code], { type: 'language' }).of(code);
  } catch {
    return undefined;
  }
}

/** Throws BAD_REQUEST for a code that no language has. */
export function requireLanguage(code: string | undefined): void {
  if (code !== undefined && languageName(code) === undefined)
    throw badRequest('Invalid default_language');
}

/** Throws BAD_REQUEST for a name that is not in the time zone database. Empty: not set. */
export function requireTimezone(name: string | undefined): void {
  if (!name) return;
  const error = badRequest('timezone is not a recognized time zone');
  if (!/^[A-Za-z]/.test(name)) throw error;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    throw error;
  }
}
