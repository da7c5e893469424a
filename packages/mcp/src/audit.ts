/**
 * A writing call. The arguments hold no content, only its length, and no key: the content is in the chat, where
 * `link` leads to it.
 */
export interface AuditRecord {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The length of the content. */
  readonly characters?: number;
  /** `unknown`: the answer of the server was lost. */
  readonly outcome: 'done' | 'refused' | 'unknown';
  readonly reason?: string;
  readonly message_id?: number;
  readonly link?: string;
}
