import { Icon } from '../controls/icon.tsx';
import { Mark } from '../controls/mark.tsx';
import { href } from '../navigation/location.ts';
import type { Part } from '../parts/part.ts';
import { parts } from '../parts/parts.ts';

/** The parts of the console, at the left edge; at the bottom of a narrow screen. */
export const Rail = ({ part }: { part: Part | undefined }) => (
  <nav class="rail" aria-label="Console sections">
    <span class="rail-mark">
      <Mark size={28} />
    </span>
    {parts.map(({ id, title, icon, key }) => (
      <a
        key={id}
        class="rail-item"
        href={href([id])}
        aria-current={id === part?.id ? 'page' : undefined}
        title={`${title} (g ${key})`}
      >
        <Icon name={icon} />
        <span>{title}</span>
      </a>
    ))}
  </nav>
);
