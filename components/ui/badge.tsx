import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "./utils";

const badgeVariants = cva(
  // Described in app/parts.css, with the variants that lists have many of.
  "badge",
  {
    variants: {
      variant: {
        soft: "bg-primary-soft text-primary-strong",
        secondary: "badge-secondary",
        outline: "badge-outline",
        success: "badge-success",
        warning: "badge-warning",
        destructive: "badge-destructive",
      },
    },
    defaultVariants: { variant: "secondary" },
  },
);

export function Badge({
  className,
  variant,
  ...props
}: ComponentProps<"span"> & VariantProps<typeof badgeVariants>) {
  return <span className={cn(badgeVariants({ variant }), className)} {...props} />;
}
