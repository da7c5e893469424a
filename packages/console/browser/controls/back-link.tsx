import { Icon } from './icon.tsx';

/** Leads back to the list of the part, on a narrow screen, which shows one of both. */
export const BackLink = ({ to, label }: { readonly to: string; readonly label: string }) => (
  <a class="icon-button back" href={to} aria-label={label}>
    <Icon name="arrow-left" />
  </a>
);
