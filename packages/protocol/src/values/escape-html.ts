const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (c) => entities[c] ?? c) : text;
}

const characters: Record<string, string> = Object.fromEntries(
  Object.entries(entities).map(([character, entity]) => [entity, character]),
);

/** The text that `escapeHtml` has escaped. */
export const unescapeHtml = (html: string): string =>
  html.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity);
