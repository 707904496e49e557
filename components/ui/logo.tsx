import { cn } from "./utils";

/** The product's logo, as in public/icon.svg, in the accent colour of its context. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 512 512" aria-hidden="true" className={cn("base:size-9 text-brand", className)}>
      <rect width="512" height="512" rx="116" fill="currentColor" />
      <rect
        x="120"
        y="132"
        width="272"
        height="176"
        rx="32"
        className="fill-brand-foreground/45"
        transform="rotate(-9 256 220)"
      />
      <rect x="100" y="188" width="312" height="200" rx="38" className="fill-brand-foreground" />
      <path d="M100 246h312" stroke="currentColor" strokeOpacity=".2" strokeWidth="20" />
      <circle cx="336" cy="322" r="38" fill="currentColor" />
      <path d="M142 322h74" stroke="currentColor" strokeWidth="20" strokeLinecap="round" />
    </svg>
  );
}
