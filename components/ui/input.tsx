import type { ComponentProps } from "react";
import { cn } from "./utils";

/** The classes of every text-like control; 16 px text on phones, so that iOS does not zoom in. */
export const controlClass =
  "w-full min-w-0 text-ellipsis rounded-md border border-input bg-card px-3 text-base text-foreground shadow-xs transition-[border-color,box-shadow] placeholder:text-muted-foreground focus-visible:border-ring focus-visible:outline-2 focus-visible:outline-ring focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:bg-muted disabled:opacity-70 [&[readonly]]:bg-muted [&[readonly]]:text-muted-foreground aria-invalid:border-destructive aria-invalid:focus-visible:outline-destructive md:text-sm";

/** A button that looks like a text control and opens a list. */
export const selectClass = `${controlClass} flex items-center justify-between gap-2 text-start data-[placeholder]:text-muted-foreground [&>span:first-child]:min-w-0 [&>span:first-child]:truncate`;

export type InputProps = Omit<ComponentProps<"input">, "size"> & {
  /** "xl" is 48 px high. */
  size?: "default" | "xl";
};

export function Input({ className, size = "default", type = "text", ...props }: InputProps) {
  return (
    <input
      data-slot="input"
      type={type}
      className={cn(
        controlClass,
        size === "xl" ? "h-12 text-base md:text-base" : "h-10",
        "file:me-3 file:border-0 file:bg-transparent file:font-medium file:text-sm",
        className,
      )}
      {...props}
    />
  );
}
