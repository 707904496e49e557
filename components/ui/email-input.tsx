import type { ComponentProps } from "react";
import { Input, type InputProps } from "./input";
import { cn } from "./utils";

/** What every field for an e-mail address has. It reads from left to right, in Arabic too. */
export const emailAttributes = {
  type: "email",
  inputMode: "email",
  autoComplete: "email",
  autoCapitalize: "none",
  spellCheck: false,
  dir: "ltr",
} as const satisfies ComponentProps<"input">;

/** A field for an e-mail address. Its text stands where the column begins. */
export function EmailInput({ className, ...props }: Omit<InputProps, "type" | "dir">) {
  return <Input {...emailAttributes} className={cn("rtl:text-end", className)} {...props} />;
}
