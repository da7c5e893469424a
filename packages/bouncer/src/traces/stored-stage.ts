import type { PushStage, TokenKind } from '@bellhop/protocol';

/** What the row of a trace has besides its columns. */
export interface StoredStage {
  readonly provider: TokenKind | null;
  readonly token_hash: string | null;
  readonly priority: string;
  readonly expires_ms: number | null;
  readonly stage: PushStage;
}
