import type { ComponentProps } from "react";
import { cn } from "./utils";

type BadgeProps = ComponentProps<"span"> & {
  variant?: "soft" | "secondary" | "outline" | "success" | "warning" | "destructive";
};

/** A word on a coloured ground; app/parts.css describes its looks. */
export function Badge({ className, variant = "secondary", ...props }: BadgeProps) {
  return <span className={cn("badge", `badge-${variant}`, className)} {...props} />;
}
