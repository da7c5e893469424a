import type { PushStage, TokenKind } from '@bellhop/protocol/bouncer';

/** The fields of a trace that its row stores as JSON. */
export interface StoredStage {
  readonly provider: TokenKind | null;
  readonly token_hash: string | null;
  readonly priority: string;
  readonly expires_ms: number | null;
  readonly stage: PushStage;
}
