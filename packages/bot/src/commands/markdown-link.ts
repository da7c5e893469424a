const TARGET = String.raw`<[^<>\n]*>|(?:[^\s()<]|\((?:[^\s()]|\((?:[^\s()]|\([^\s()]*\))*\))*\))(?:[^\s()]|\((?:[^\s()]|\((?:[^\s()]|\([^\s()]*\))*\))*\))*`;
const TITLE = String.raw`"[^"\n]*"|'[^'\n]*'`;
const LABEL = String.raw`(?:[^[\]\n]|\[[^[\]\n]*\])*`;
const LINK = new RegExp(
  String.raw`\[${LABEL}\]\([^\S\n]*(${TARGET})?(?:[^\S\n]+(?:${TITLE}))?[^\S\n]*\)`,
  'y',
);

/** The Markdown link at a place of a text, such as `[text](target "title")`; the target may have parentheses. */
export function linkAt(text: string, start: number) {
  LINK.lastIndex = start;
  const match = LINK.exec(text);
  return match === null ? undefined : { target: match[1] ?? '', end: LINK.lastIndex };
}

/** The link that a text is. */
export function linkIn(text: string) {
  const link = linkAt(text, 0);
  return link?.end === text.length ? link : undefined;
}
