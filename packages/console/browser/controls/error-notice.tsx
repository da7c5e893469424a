import { ApiError } from '@bellhop/protocol';

import { Icon } from './icon.tsx';
import { strings } from './strings.ts';

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** An error where it happened: what went wrong, its code, and a button to try again. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  if (error === undefined || error === null) return null;
  return (
    <div class="notice" role="alert">
      <Icon name="circle-alert" />
      <span class="grow">
        {messageOf(error)} {error instanceof ApiError && <code>{error.code}</code>}
      </span>
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          {strings.retry}
        </button>
      )}
    </div>
  );
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
