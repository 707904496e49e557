import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./utils";

// Described in app/controls.css.
export const buttonVariants = cva("btn", {
  variants: {
    variant: {
      default: "btn-default",
      /** Approves what waits. */
      success: "btn-success",
      destructive: "btn-destructive",
      outline: "btn-outline",
      secondary: "btn-secondary",
      soft: "btn-soft",
      ghost: "btn-ghost",
      link: "btn-link",
    },
    size: {
      sm: "btn-sm",
      default: "btn-md",
      lg: "btn-lg",
      /** 48 px high, for touch at a counter. */
      xl: "btn-xl",
      icon: "btn-icon",
      "icon-sm": "btn-icon-sm",
      "icon-xl": "btn-icon-xl",
    },
  },
  defaultVariants: { variant: "default", size: "default" },
});

export type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonVariants> & {
    /** Renders the child (a link) with the button's style. */
    asChild?: boolean;
  };

export function Button({ className, variant, size, asChild = false, type, ...props }: ButtonProps) {
  const Comp = asChild ? Slot.Root : "button";
  return (
    <Comp
      data-slot="button"
      type={asChild ? type : (type ?? "button")}
      className={cn(buttonVariants({ variant, size }), className)}
      {...props}
    />
  );
}
