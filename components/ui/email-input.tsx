import type { ComponentProps } from "react";
import { Input, type InputProps } from "./input";
import { cn } from "./utils";

/**
 * The attributes of every field for an e-mail address. The address reads from left to right, in Arabic too.
 */
export const emailAttributes = {
  type: "email",
  inputMode: "email",
  autoComplete: "email",
  autoCapitalize: "none",
  spellCheck: false,
  dir: "ltr",
} as const satisfies ComponentProps<"input">;

/** A field for an e-mail address. Its text is aligned with the start of the column. */
export function EmailInput({ className, ...props }: Omit<InputProps, "type" | "dir">) {
  return <Input {...emailAttributes} className={cn("rtl:text-end", className)} {...props} />;
}
