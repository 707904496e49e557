import type { ComponentProps } from "react";
import { cn, part } from "./utils";

const VARIANTS = {
  default: "bg-card text-card-foreground",
  info: "border-primary/25 bg-primary-soft text-primary-strong",
  success: "border-success/30 bg-success-soft text-success-strong",
  warning: "border-warning/50 bg-warning-soft text-warning-strong",
  destructive: "border-destructive/35 bg-destructive-soft text-destructive-strong",
};

export function Alert({
  className,
  variant = "default",
  ...props
}: ComponentProps<"div"> & { variant?: keyof typeof VARIANTS }) {
  return (
    <div
      data-slot="alert"
      role="alert"
      className={cn(
        "relative grid w-full grid-cols-[0_1fr] content-start base:items-start gap-y-0.5 rounded-lg border base:px-4 base:py-3 text-sm has-[>svg]:grid-cols-[--spacing(4)_1fr] has-[>svg]:gap-x-3 [&>svg]:size-4 [&>svg]:translate-y-0.5",
        VARIANTS[variant],
        className,
      )}
      {...props}
    />
  );
}

export const AlertTitle = part("p", "alert-title", "col-start-2 font-medium");

export const AlertDescription = part(
  "div",
  "alert-description",
  "col-start-2 base:grid justify-items-start base:gap-1 text-pretty",
);
