interface Quoted {
  readonly name: string;
  readonly user_id: number;
  /** The address of the message. */
  readonly link: string;
  /** Markdown. */
  readonly content: string;
}

/** The Markdown of a quotation: who said it, with a link to the message, and the text. */
export function quoteText({ name, user_id, link, content }: Quoted): string {
  // The fence is longer than any in the text.
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}|~{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `@_**${name}|${user_id}** [said](${link}):\n${fence}quote\n${content}\n${fence}\n`;
}
