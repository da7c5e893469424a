interface Press {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Whether an input method takes the key. */
  readonly isComposing: boolean;
}

/**
 * Whether a key sends the text of a message box. Ctrl+Enter, on a Mac Cmd+Enter, always does; Enter alone
 * if the user has chosen so (setting `enter_sends`), else it breaks the line.
 */
export function isSendKey(press: Press, enterSends: boolean): boolean {
  if (press.key !== 'Enter' || press.isComposing || press.altKey) return false;
  if (press.ctrlKey || press.metaKey) return true;
  return enterSends && !press.shiftKey;
}
