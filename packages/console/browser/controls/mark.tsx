/** The bell of Bellhop. */
export const Mark = ({ size = 40 }: { size?: number }) => (
  <svg viewBox="0 0 64 64" width={size} height={size} aria-hidden="true">
    <rect width="64" height="64" rx="14" fill="var(--accent)" />
    <path d="M14 43a18 18 0 0 1 36 0zM29 20h6v6h-6zM10 46h44v5H10z" fill="var(--on-accent)" />
  </svg>
);
