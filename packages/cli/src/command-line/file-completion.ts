const MARK = '\0file:';

/** Proposes files with these extensions, and directories; all files if none is given. */
export const proposeFiles =
  (...extensions: readonly string[]) =>
  (partial: string): readonly string[] => [`${partial}${MARK}${extensions.join(',')}`];

/** The extensions if a proposal stands for files; undefined if it is a word. */
export function fileExtensions(proposal: string): readonly string[] | undefined {
  const at = proposal.indexOf(MARK);
  if (at < 0) return undefined;
  return proposal
    .slice(at + MARK.length)
    .split(',')
    .filter(Boolean);
}
