import { part } from "./utils";

export const Skeleton = part("div", "skeleton", "animate-pulse base:rounded-md bg-muted-foreground/15", {
  "aria-hidden": true,
});
