import { useRef } from 'preact/hooks';

interface Aims {
  /** The message of the address. */
  readonly near: number | undefined;
  /** The keys of the unsent messages, which grow with the time. */
  readonly unsent: readonly string[];
  /** The message that a button leads to. */
  readonly jump: number | undefined;
}

/** The key of the message to scroll to: of the aims the one that changed last. */
export function useAim({ near, unsent, jump }: Aims): string | undefined {
  const sent = unsent.toSorted().at(-1) ?? '';
  const known = useRef({ near, sent, jump });
  const aim = useRef(near === undefined ? undefined : String(near));
  const { current: before } = known;
  if (near !== before.near && near !== undefined) aim.current = String(near);
  if (jump !== before.jump && jump !== undefined) aim.current = String(jump);
  if (sent > before.sent) aim.current = sent;
  known.current = { near, jump, sent: sent > before.sent ? sent : before.sent };
  return aim.current;
}
