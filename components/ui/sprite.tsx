import type { LucideIcon } from "lucide-react";

/** Icons that a list shows in many rows, drawn once: `<SpriteIcon of={of} name="…" />` then refers to them. */
export function Sprite({ of, icons }: { of: string; icons: Record<string, LucideIcon> }) {
  return (
    <svg className="hidden" aria-hidden>
      {Object.entries(icons).map(([name, Icon]) => (
        <symbol key={name} id={`${of}-${name}`} viewBox="0 0 24 24">
          <Icon />
        </symbol>
      ))}
    </svg>
  );
}

/** An icon of a Sprite on the same page. */
export function SpriteIcon({ of, name, className }: { of: string; name: string; className?: string }) {
  return (
    <svg aria-hidden className={className}>
      <use href={`#${of}-${name}`} />
    </svg>
  );
}
