import { escapeHtml } from './schema-tables.ts';

/** A page of a service, by its path. */
export interface PageLink {
  readonly path: string;
  readonly label: string;
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}li{margin:.3rem 0}a{color:light-dark(#2f5bd7,#8fb0ff)}';

/** The page at `/` of a service without a console, with links to its pages. */
export const homePage = (title: string, links: readonly PageLink[]): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style><h1>${escapeHtml(title)}</h1><p>This address is for programs and apps. Its pages:</p><ul>${links
    .map(({ path, label }) => `<li><a href="${path}">${escapeHtml(label)}</a></li>`)
    .join('')}</ul></html>`;
