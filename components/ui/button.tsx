import Link from "next/link";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./utils";

export type ButtonProps = ComponentProps<"button"> & {
  variant?: "default" | "success" | "destructive" | "outline" | "secondary" | "soft" | "ghost" | "link";
  /** "xl" is 48 px high, for touch at a counter. */
  size?: "sm" | "md" | "lg" | "xl" | "icon" | "icon-sm" | "icon-xl";
  asChild?: boolean;
};

/** A button; app/controls.css describes its looks. */
export function Button({
  className,
  variant = "default",
  size = "md",
  asChild = false,
  type,
  ...props
}: ButtonProps) {
  const Comp = asChild ? Slot.Root : "button";
  return (
    <Comp
      data-slot="button"
      type={asChild ? type : (type ?? "button")}
      className={cn("btn", `btn-${variant}`, `btn-${size}`, className)}
      {...props}
    />
  );
}

/** A link that looks like a button. */
export function LinkButton({
  className,
  variant = "default",
  size = "md",
  ...props
}: ComponentProps<typeof Link> & Pick<ButtonProps, "variant" | "size">) {
  return (
    <Link data-slot="button" className={cn("btn", `btn-${variant}`, `btn-${size}`, className)} {...props} />
  );
}
