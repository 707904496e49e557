import { part } from "./utils";

export const Card = part(
  "div",
  "card",
  "base:flex flex-col base:gap-5 rounded-xl border bg-card base:py-5 text-card-foreground shadow-card",
);

export const CardHeader = part(
  "div",
  "card-header",
  "grid auto-rows-min items-start gap-1 px-5 grid-cols-1 has-data-[slot=card-action]:grid-cols-[minmax(0,1fr)_auto]",
);

export const CardTitle = part("h2", "card-title", "font-semibold text-base leading-snug");

export const CardDescription = part("p", "card-description", "text-pretty text-muted-foreground text-sm");

export const CardAction = part(
  "div",
  "card-action",
  "col-start-2 base:row-span-2 row-start-1 self-start justify-self-end",
);

export const CardContent = part("div", "card-content", "base:px-5");

export const CardFooter = part("div", "card-footer", "flex items-center base:gap-3 px-5 [.border-t]:pt-5");
